import Library
import Playback

/// The whole picture that phones, `status --json` and `GetState` are given (docs/protocol, "State and commands").
/// One shape everywhere. Unknown is nil here and an explicit `null` in the JSON, never left out, never invented.
public struct RemoteState: Hashable, Sendable, Codable {
    /// A new uuid per start of the service; another `boot` replaces everything a client knew.
    public var boot: String
    /// Only rises within one `boot`.
    public var seq: Int
    /// The box's monotonic clock when this was sent, milliseconds.
    public var now: Int64
    /// When `position` was true, milliseconds on the same clock.
    public var at: Int64
    public var phase: NowPlaying.Phase
    @OrNull public var reason: NowPlaying.Reason?
    @OrNull public var episode: RemoteEpisode?
    /// Seconds at `at`; a client runs its own clock from there with `rate` while `phase` is playing.
    @OrNull public var position: Seconds?
    public var rate: Double
    /// 0…100 on the car's sink.
    @OrNull public var volume: Int?
    @OrNull public var muted: Bool?
    public var car: RemoteCar
    @OrNull public var network: NetworkState?
    @OrNull public var unread: Int?
    /// At most `queueLimit` entries.
    public var queue: [RemoteQueueEntry]
    @OrNull public var kept: RemoteKept?
    /// A sentence for the person, e.g. "Sign in needed".
    @OrNull public var message: String?
    /// What would be obeyed now.
    public var can: [Ability]

    public static let queueLimit = 50

    /// The abilities a client may offer as buttons; the raw values are the words of `can`.
    public enum Ability: String, Hashable, Sendable, Codable, CaseIterable {
        case play, pause, next, previous, seek, volume, mute, rate
    }

    public init(boot: String, seq: Int, now: Instant, playing: NowPlaying) {
        self.boot = boot
        self.seq = seq
        self.now = now.milliseconds
        self.at = playing.at.milliseconds
        self.phase = playing.phase
        self.reason = playing.reason
        self.position = playing.position?.finite
        self.rate = playing.rate
        self.car = RemoteCar()
        self.queue = []
        self.can = []
    }

    /// The place at `moment` (milliseconds on the box's clock), never above the duration.
    public func position(at moment: Int64) -> Seconds? {
        guard let position else { return nil }
        let run = phase == .playing ? max(0, Double(moment - at) / 1000) * rate : 0
        return min(position + run, episode?.duration ?? .infinity)
    }
}

/// The car as the remote shows it.
public struct RemoteCar: Hashable, Sendable, Codable {
    /// The Bluetooth link, as BlueZ tells it.
    @OrNull public var connected: Bool?
    @OrNull public var name: String?
    /// True when there is a sink to play to: connected without it is "connected, no audio".
    @OrNull public var sink: Bool?

    public init(connected: Bool? = nil, name: String? = nil, sink: Bool? = nil) {
        self.connected = connected
        self.name = name
        self.sink = sink
    }
}

// The words on the wire are the domain's own.
extension NowPlaying.Phase: Codable {}
extension NowPlaying.Reason: Codable {}
extension NetworkState: Codable {}

extension Instant {
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
}

extension Double {
    /// JSON has no word for infinity and NaN: unknown.
    var finite: Double? { isFinite ? self : nil }
}
