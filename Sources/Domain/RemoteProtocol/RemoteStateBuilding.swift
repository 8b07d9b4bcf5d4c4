import Library
import Playback

/// Everything the picture is made of besides what plays.
public struct RemoteSurroundings: Hashable, Sendable {
    public var queue: [Queued] = []
    /// 0…100 of the sink; nil without one.
    public var volume: Int?
    public var isMuted: Bool?
    public var car = RemoteCar()
    public var network: NetworkState?
    public var unread: Int?
    public var kept: RemoteKept?
    public var message: String?
    /// Where the current episode's picture is served; nil when there is none.
    public var artwork: String?

    public init() {}
}

extension RemoteState {
    /// The picture at `now`. Pure: equal inputs give equal states.
    public init(boot: String, seq: Int, now: Instant, playing: NowPlaying, around: RemoteSurroundings) {
        self.init(boot: boot, seq: seq, now: now, playing: playing)
        episode = playing.episode.map { RemoteEpisode($0, duration: playing.duration, artwork: around.artwork) }
        volume = around.volume
        muted = around.isMuted
        car = around.car
        network = around.network
        unread = around.unread
        queue = around.queue.prefix(Self.queueLimit).map(RemoteQueueEntry.init)
        kept = around.kept
        message = around.message
        can = Ability.allCases.filter { Self.can($0, playing: playing, around: around) }
    }

    private static func can(_ ability: Ability, playing: NowPlaying, around: RemoteSurroundings) -> Bool {
        let hasEpisode = playing.episode != nil
        return switch ability {
        case .play: hasEpisode || !around.queue.isEmpty
        case .pause: hasEpisode
        case .next: hasEpisode || !around.queue.isEmpty
        case .previous: hasEpisode
        case .seek: hasEpisode
        case .volume: around.volume != nil
        case .mute: around.isMuted != nil
        case .rate: true
        }
    }
}

/// Gives states their numbers: one that says nothing new gets none, so a position that just runs on is not sent again.
public struct RemoteStateSequence: Hashable, Sendable {
    public let boot: String
    /// The last state that was given a number; nil before the first.
    public private(set) var last: RemoteState?

    public init(boot: String) { self.boot = boot }

    /// The state to push, or nil when every client already knows it.
    public mutating func next(now: Instant, playing: NowPlaying, around: RemoteSurroundings) -> RemoteState? {
        let state = RemoteState(
            boot: boot, seq: (last?.seq ?? 0) + 1, now: now, playing: playing, around: around)
        if let last, state.tellsNoMore(than: last) { return nil }
        last = state
        return state
    }
}

extension RemoteState {
    /// Further off than this and a client's own clock would show another second.
    private static let drift: Seconds = 0.25

    func tellsNoMore(than former: RemoteState) -> Bool {
        var same = self
        (same.seq, same.now, same.at, same.position) = (former.seq, former.now, former.at, former.position)
        guard same == former else { return false }
        guard let place = position, let expected = former.position(at: at) else { return position == former.position }
        return abs(place - expected) < Self.drift
    }
}
