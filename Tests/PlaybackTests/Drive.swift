import Library
import Playback
import Testing

/// A drive written down: every line is something that happened, and the player's answers are kept.
struct Drive {
    var player: PlayerState
    var now = Instant(nanoseconds: 1_000_000_000_000)
    /// Effects of the last input (or of everything a `pass` ran through).
    var did: [Effect] = []
    var all: [Effect] = []
    var generation = Generation(0)
    /// False: the engine never answers `askPosition`.
    var answers = true
    private(set) var wakeAt: Instant?

    init(_ change: (inout PlayerSettings) -> Void = { _ in }) {
        var settings = PlayerSettings()
        change(&settings)
        player = PlayerState(settings: settings)
    }

    var shown: NowPlaying { player.nowPlaying(at: now) }
    var position: Seconds? { shown.position }

    mutating func take(_ input: Input) {
        did = player.reduce(input, at: now)
        note(did)
    }

    private mutating func note(_ effects: [Effect]) {
        all += effects
        for effect in effects {
            if case .load(let load) = effect { generation = load.generation }
            if case .wake(let at) = effect { wakeAt = at }
        }
    }

    mutating func learn(_ event: Event) { take(.event(event)) }
    mutating func wish(_ command: Command, from origin: Origin = .phone) { take(.command(command, from: origin)) }
    mutating func engine(_ event: EngineEvent) { take(.event(.engine(generation, event))) }

    /// Time passes: wakes come when they were asked for, and the engine says where it is.
    mutating func pass(_ seconds: Seconds) {
        let end = now.advanced(by: seconds)
        var ran: [Effect] = []
        while let wake = wakeAt, wake <= end {
            now = max(now, wake)
            wakeAt = nil
            take(.event(.timePassed))
            ran += did
            if answers, did.contains(.askPosition(generation)), let position {
                engine(.position(position, at: now))
                ran += did
            }
        }
        now = end
        did = ran
    }
}

extension Drive {
    static let car = "AA:BB:CC:DD:EE:FF"
    static let otherCar = "11:22:33:44:55:66"

    /// The usual morning: online, the car is there, `episode` was paused by the driver, the queue holds `queue`.
    static func ready(
        _ first: Queued, queue: [Queued] = [], network: NetworkState = .online,
        waiting: Seconds = 60, settings change: (inout PlayerSettings) -> Void = { _ in }
    ) -> Drive {
        var drive = Drive(change)
        drive.learn(.networkChanged(network))
        drive.learn(.restored(first, wasPlaying: false))
        drive.learn(.queueChanged(queue))
        drive.learn(.carConnected(address: car))
        drive.learn(.outputAppeared(car: car))
        drive.pass(waiting)
        return drive
    }

    /// Plays from `first.position` (no rewind: it was heard just now), a file of `duration`.
    static func playing(
        _ first: Queued, duration: Seconds? = 3600, queue: [Queued] = [], network: NetworkState = .online,
        settings change: (inout PlayerSettings) -> Void = { _ in }
    ) -> Drive {
        var drive = ready(first, queue: queue, network: network, waiting: 10, settings: change)
        drive.wish(.play)
        drive.starts(duration: duration)
        drive.all = []
        return drive
    }

    /// The engine opens what it was given and comes to its start.
    mutating func starts(duration: Seconds? = 3600) {
        guard let load = all.lastLoad else { return }
        engine(.opened(duration: duration))
        engine(.reached(load.start))
    }

    /// The engine comes to where it was sent last.
    mutating func arrives() {
        guard let target = all.seeks.last else { return }
        engine(.reached(target))
    }
}

extension Array where Element == Effect {
    var loads: [Load] { compactMap { if case .load(let load) = $0 { load } else { nil } } }
    var lastLoad: Load? { loads.last }
    var stored: [Heard] { compactMap { if case .store(let heard) = $0 { heard } else { nil } } }
    var seeks: [Seconds] { compactMap { if case .seek(let to, _) = $0 { to } else { nil } } }
    var marks: [EpisodeID] { compactMap { if case .markRead(let id) = $0 { id } else { nil } } }
    var told: [DriverMessage] { compactMap { if case .tell(let message) = $0 { message } else { nil } } }
    var shows: [Bool] { compactMap { if case .show(let jumped) = $0 { jumped } else { nil } } }
    var pauses: [Bool] { compactMap { if case .setPaused(let paused, _) = $0 { paused } else { nil } } }
    var rates: [Double] { compactMap { if case .setRate(let rate) = $0 { rate } else { nil } } }
    var unloads: Int { filter { $0 == .unload }.count }
    var asks: Int { filter { if case .askPosition = $0 { true } else { false } }.count }
}

func id(_ name: String) -> EpisodeID { EpisodeID(server: "me", feed: "feed", guid: name) }

func queued(
    _ name: String, at position: Seconds = 0, away: Seconds? = 0, kept: Bool = false, duration: Seconds? = 3600,
    chapters: [Chapter] = []
) -> Queued {
    let episode = Episode(
        id: id(name), title: name, feedTitle: "Show", duration: duration, chapters: chapters,
        enclosures: [Enclosure(number: 1, url: "/\(name).mp3", type: "audio/mpeg")])
    return Queued(episode, position: position, away: away, isKept: kept)
}
