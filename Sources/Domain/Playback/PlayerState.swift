import Library

/// The player: decides, and does nothing itself. Give it every wish and fact in the order they come, and run the effects it
/// returns in their order. It has no clock of its own; a moment earlier than the last one counts as that one.
public struct PlayerState: Sendable {
    /// What comes after the current episode, in playing order.
    public internal(set) var queue: [Queued] = []
    /// The episode that plays, is paused, waits, or can't be played; with the position to remember.
    public internal(set) var current: Queued?

    var phase = Phase.idle
    var settings: PlayerSettings
    /// The wished speed, also while nothing plays.
    var rate: Double
    var now = Instant(nanoseconds: 0)
    var sink: Sink?
    var car: CarLink?
    /// Until told otherwise there is none, as at a cold boot.
    var network = NetworkState.offline
    /// What was left for another episode, newest last.
    var history: [Queued] = []
    var presses: [Press] = []
    var generation = Generation(0)
    var saving = Saving()
    /// What the driver knows of the present wait for bytes.
    var told: Set<DriverMessage> = []
    var isShutDown = false

    /// What everyone was last told.
    var shown = NowPlaying(phase: .idle, at: Instant(nanoseconds: 0))
    var wakeAt: Instant?
    var hasJumped = false
    var effects: [Effect] = []

    public init(settings: PlayerSettings) {
        self.settings = settings
        rate = settings.startRate
        shown.rate = rate
    }

    /// Takes one input and says what is to be done about it. After a shutdown nothing is.
    public mutating func reduce(_ input: Input, at moment: Instant) -> [Effect] {
        guard !isShutDown else { return [] }
        now = max(now, moment)
        switch input {
        case .command(let command, let origin): obey(command, from: origin)
        case .event(let event): learn(event)
        }
        return settle()
    }

    /// Whether it should go on after a cut of power: it plays, or something other than the driver stopped it.
    public var wantsToPlay: Bool {
        guard case .paused(let paused) = phase else { return phase.wantsSound }
        switch paused.reason {
        case .carLost, .outputLost, .call, .outOfBytes, .shutdown: return true
        case .driver, .held, nil: return false
        }
    }

    private mutating func settle() -> [Effect] {
        doubtListedDuration()
        markReadIfHeard()
        if let place = phase.storable(at: now) { current?.position = place }
        showIfChanged()
        wakeWhenDue()
        defer { effects = [] }
        return effects
    }
}

extension PlayerSettings {
    /// 0.5…3, the speeds the engine keeps the pitch at.
    static func clamped(_ rate: Double) -> Double { rate.isFinite ? min(max(rate, 0.5), 3) : 1 }

    var startRate: Double { Self.clamped(rate) }
}
