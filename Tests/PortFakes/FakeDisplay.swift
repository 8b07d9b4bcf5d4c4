import EventLoop
import Playback

/// A display that keeps what it was told.
@Core
public final class FakeDisplay: NowPlayingDisplay {
    public struct Shown: Hashable, Sendable {
        public var now: NowPlaying
        public var jumped: Bool
    }

    /// Everything, in order.
    public private(set) var shown: [Shown] = []

    public init() {}

    public var last: Shown? { shown.last }

    public func show(_ now: NowPlaying, jumped: Bool) { shown.append(Shown(now: now, jumped: jumped)) }

    public func forget() { shown = [] }
}
