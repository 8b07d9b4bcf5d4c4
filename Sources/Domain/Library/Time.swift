/// A place in, or a length of, an episode: seconds, never negative where a position is meant.
public typealias Seconds = Double

/// A moment on the box's monotonic clock (`CLOCK_MONOTONIC`): nanoseconds since this boot. Comparable within one boot only.
public struct Instant: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Seconds from `earlier` to this moment; negative when `earlier` is later.
    public func seconds(since earlier: Instant) -> Seconds { Seconds(nanoseconds - earlier.nanoseconds) / 1e9 }

    public func advanced(by seconds: Seconds) -> Instant {
        Instant(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded()))
    }
}

/// Wall time as the server tells it: milliseconds since 1970-01-01T00:00:00Z.
public struct WallTime: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (a: WallTime, b: WallTime) -> Bool { a.milliseconds < b.milliseconds }
}

/// When something was heard: always on the monotonic clock of its boot, on the wall only once that boot's offset to the
/// server's clock is known (the box has no clock of its own).
public struct Stamp: Hashable, Sendable {
    public var boot: String
    public var at: Instant
    public var wall: WallTime?
    /// True when `wall` was reckoned from the last trusted time plus elapsed time, not from this boot's own offset.
    public var isUncertain: Bool

    public init(boot: String, at: Instant, wall: WallTime? = nil, isUncertain: Bool = false) {
        self.boot = boot
        self.at = at
        self.wall = wall
        self.isUncertain = isUncertain
    }
}
