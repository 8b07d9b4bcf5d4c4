import EventLoop
import Library
import Linux
import MPV
import Playback

/// `PlaybackEngine` on libmpv: one player for the life of the service, opened in the background.
@Core
public final class Engine: PlaybackEngine {
    public var onEvent: (@Core (Generation, EngineEvent) -> Void)?
    private let media: any MediaSource
    private let clock: @Core () -> Instant
    let log: @Core (String) -> Void
    private let output: EngineOutput
    private let shelf = StreamShelf()
    private let player: PlayerSlot
    private var sink: String?
    /// The sink mpv was told last.
    private var device: String?
    var attempt: Attempt?
    private var attempts = 0
    /// How long a load or a seek may make no progress at all, neither mpv nor the bytes.
    var patience: Seconds = 10
    lazy var watch = Watch(at: now) { [weak self] in self?.look() }
    private lazy var settling = CoreTimer { [weak self] in self?.askPosition() }
    /// Seconds until all that waits to be heard (mpv's 0.2 and the sound server's buffer) was made at the new speed.
    private static let settled: Seconds = 1

    /// `clock` reads `CLOCK_MONOTONIC`. `log` gets lines without secrets.
    public init(
        media: any MediaSource, output: EngineOutput = .pulse(server: nil, buffer: 500),
        clock: @escaping @Core () -> Instant, log: @escaping @Core (String) -> Void
    ) {
        self.media = media
        self.clock = clock
        self.log = log
        self.output = output
        player = PlayerSlot(log: log)
    }

    var now: Instant { clock() }

    /// Opens libmpv in the background; what is loaded meanwhile plays as soon as it is there. Call once, after the bus. A load
    /// without it calls it.
    public func prepare() {
        let shelf = shelf
        let setup = MPVSetup(
            options: EngineOptions.list(output), optionsWhereKnown: EngineOptions.scripts, scheme: EngineOptions.scheme,
            open: { shelf.open($0) })
        player.open(setup) { [weak self] in
            self?.heard($0)
        } opened: { [weak self] in
            self?.playerOpened()
        }
    }

    private func playerOpened() {
        guard player.isBroken else { return start() }
        if attempt != nil { fail(.internal) }
    }

    // MARK: the port

    public func load(_ load: Load) { begin(load, from: load.start) }

    public func unload() {
        forget()
        player.ask { player throws(MPVError) in try player.command(["stop"]) }
    }

    public func setPaused(_ paused: Bool) {
        attempt?.anchor(at: now)
        attempt?.isPaused = paused
        // Before mpv has begun with it, the former file would be the one to be heard.
        guard attempt?.isStarted == true else { return }
        player.ask { player throws(MPVError) in try player.set("pause", paused) }
    }

    public func setRate(_ rate: Double) {
        attempt?.anchor(at: now)
        attempt?.rate = rate
        player.ask { player throws(MPVError) in try player.set("speed", rate) }
        // What waits in the buffers still plays at the former speed, so that the place runs off by up to half a second; told
        // anew when it is through, for the dash and for what is saved.
        settling.set(at: now.advanced(by: Self.settled).nanoseconds)
    }

    public func seek(to position: Seconds) {
        guard let attempt else { return }
        self.attempt?.target = position
        watch.begin(at: now)
        if !attempt.isOpen { return moveStart(to: position) }
        // mpv finishes what it reads before it seeks: a wait for bytes that may never come is given up for a new start.
        if attempt.stream.reading.isWaiting { return again(from: position) }
        sendSeek(to: position)
    }

    public func askPosition() {
        guard let attempt else { return }
        askPlace { [weak self] place in
            guard let self, let now = self.attempt else { return }
            onEvent?(attempt.load.generation, .position(now.target ?? place, at: self.now))
        }
    }

    public func setOutput(sink: String?) { self.sink = sink }

    // MARK: attempts

    private func begin(_ load: Load, from start: Seconds) {
        forget()
        guard hasOutput else { return refuse(load, .device) }
        guard !player.isBroken else { return refuse(load, .internal) }
        let stream = EpisodeStream(media.open(load))
        attempt = Attempt(attempts, load, stream, from: start, sink: sink, now: now)
        shelf.put(stream, for: attempts)
        if !player.isOpening { prepare() }
        self.start()
    }

    private var hasOutput: Bool {
        if case .pulse = output { sink != nil } else { true }
    }

    /// Not at once: who loads doesn't expect to be called back meanwhile.
    private func refuse(_ load: Load, _ failure: Failure) {
        unload()
        let number = attempts
        Core.run { [weak self] in
            guard let self, attempts == number else { return }
            onEvent?(load.generation, .failed(failure))
        }
    }

    /// Nothing of the attempt at hand is reported from here on.
    private func forget() {
        attempt?.stream.cancel()
        attempt = nil
        attempts += 1
        shelf.clear()
        watch.end()
        settling.set(at: nil)
    }

    /// The same load once more from another place, as the driver's wishes are by now.
    func again(from place: Seconds, brokeAt: Seconds? = nil) {
        guard let former = attempt else { return }
        var load = former.load
        (load.start, load.isPaused, load.rate) = (place, former.isPaused, former.rate)
        begin(load, from: place)
        attempt?.brokeAt = brokeAt ?? former.brokeAt
        attempt?.isStalled = former.isStalled
    }

    /// Options go first, as properties: `loadfile`'s own option argument moved between versions of mpv (PB-15).
    private func start() {
        guard let attempt, player.isReady else { return }
        watch.begin(at: now)
        let isAccepted = player.ask { player throws(MPVError) in
            // The former file is silent first: pause and speed of the new one must not be heard on it.
            try player.set("pause", true)
            try choose(attempt.sink, player)
            try player.set("speed", attempt.rate)
            try player.set("start", startOption(attempt.start))
            try player.command(["loadfile", StreamShelf.url(attempt.number), "replace"]) { [weak self] in
                self?.accepted($0, attempt.number)
            }
        }
        if !isAccepted { refuse(attempt.load, .internal) }
    }

    private func choose(_ sink: String?, _ player: MPVPlayer) throws(MPVError) {
        guard let sink, sink != device else { return }
        // mpv moves what is playing at once: the former file must not be heard at the new sink.
        try player.command(["stop"])
        try player.set("audio-device", "pulse/\(sink)")
        device = sink
    }

    /// Works while mpv opens the file too: it looks at `start` when the file is open.
    private func moveStart(to position: Seconds) {
        attempt?.start = position
        attempt?.hasMovedStart = true
        player.ask { player throws(MPVError) in try player.set("start", startOption(position)) }
    }

    private func startOption(_ place: Seconds) -> String { place < 0.001 ? "none" : "\(place)" }

    func sendSeek(to position: Seconds) {
        guard let number = attempt?.number else { return }
        attempt?.seeks += 1
        attempt?.hasRestarted = false
        let isAccepted = player.ask { player throws(MPVError) in
            try player.command(["seek", "\(position)", "absolute+exact"]) { [weak self] in
                self?.sought($0.map { _ in }, number)
            }
        }
        if !isAccepted { Core.run { [weak self] in self?.sought(.failure(MPVError.refused), number) } }
    }

    // MARK: asking and telling

    /// The place of the sound that leaves the sound server now: asked of mpv, else reckoned. Not answered when the attempt is
    /// another one by then.
    func askPlace(_ answer: @escaping @Core (Seconds) -> Void) {
        ask("audio-pts") { [weak self] value in
            guard let self, let attempt else { return }
            let place = value.map { max(0, $0) } ?? attempt.place(at: now)
            if value != nil, attempt.target == nil { self.attempt?.saw(place, at: now) }
            answer(place)
        }
    }

    /// Nil: mpv does not know, or is not there yet.
    func ask(_ property: String, _ answer: @escaping @Core (Double?) -> Void) {
        guard let number = attempt?.number else { return }
        let answered: @Core @Sendable (Double?) -> Void = { [weak self] value in
            if self?.attempt?.number == number { answer(value) }
        }
        let isAsked = player.ask { player throws(MPVError) in
            try player.get(property) { answered((try? $0.get())?.number) }
        }
        if !isAsked { Core.run { answered(nil) } }
    }

    func setProperty(_ name: String, _ value: Bool) {
        player.ask { player throws(MPVError) in try player.set(name, value) }
    }

    func tell(_ event: EngineEvent) {
        guard let attempt else { return }
        onEvent?(attempt.load.generation, event)
    }

    /// The last word about the attempt.
    func finish(_ event: EngineEvent) {
        guard let attempt else { return }
        unload()
        onEvent?(attempt.load.generation, event)
    }

    func fail(_ failure: Failure) { finish(.failed(failure)) }
}
