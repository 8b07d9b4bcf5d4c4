/// The server's time on a box that has none: the `Date` of an answer, kept as offset to the monotonic clock of this boot
/// (sync.md, "Clocks"). The box's own wall clock is never asked.
public struct ServerClock: Hashable, Sendable {
    public let boot: String
    /// The last time that was certain before this boot heard the server; nil on a box that never did.
    public let lastTrusted: WallTime?
    /// Server's milliseconds at the monotonic zero; nil until the first answer.
    public private(set) var offset: Int64?

    /// More than this off, the server's clock was set anew, milliseconds.
    static let jump: Int64 = 3000

    public init(boot: String, lastTrusted: WallTime?) {
        self.boot = boot
        self.lastTrusted = lastTrusted
    }

    public var isKnown: Bool { offset != nil }

    /// An answer that came at `at` had this `Date`. Only for answers that were checked: right host, certificate and shape.
    public mutating func heard(_ date: WallTime, at: Instant) {
        // Date is cut to whole seconds and was written before it came: of several answers the largest offset is the truest.
        let new = date.milliseconds - at.milliseconds
        if let offset, abs(new - offset) <= Self.jump { self.offset = max(offset, new) } else { offset = new }
    }

    /// The server's time at a moment of this boot.
    public func time(at moment: Instant) -> WallTime? {
        offset.map { WallTime(milliseconds: $0 + moment.milliseconds) }
    }

    /// The stamp of something heard now.
    public func stamp(at moment: Instant) -> Stamp {
        settled(Stamp(boot: boot, at: moment))
    }

    /// A stamp with its wall time as well as it is known: certain for this boot once the server was heard; until then the last
    /// trusted time plus this boot's age, which is the earliest it can have been.
    public func settled(_ stamp: Stamp) -> Stamp {
        guard stamp.boot == boot, stamp.wall == nil || stamp.isUncertain else { return stamp }
        var settled = stamp
        if let time = time(at: stamp.at) {
            settled.wall = time
            settled.isUncertain = false
        } else {
            settled.wall = lastTrusted.map { WallTime(milliseconds: $0.milliseconds + stamp.at.milliseconds) }
            settled.isUncertain = true
        }
        return settled
    }

    /// The time to send with a record: never one that is still to come (sync.md: 120 s at most).
    public func sendable(_ stamp: Stamp, at now: Instant) -> WallTime? {
        guard let wall = settled(stamp).wall else { return time(at: now) }
        guard let present = time(at: now), wall.milliseconds > present.milliseconds + SyncTimes.patience else { return wall }
        return present
    }

    /// The times for a merge of a record with this stamp.
    public func times(for stamp: Stamp?, at now: Instant) -> SyncTimes {
        SyncTimes(now: time(at: now), lastTrusted: stamp?.trustedBefore ?? lastTrusted)
    }
}

extension Instant {
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
}

extension Stamp {
    /// The trusted time an uncertain stamp was reckoned from.
    var trustedBefore: WallTime? {
        guard isUncertain, let wall else { return nil }
        return WallTime(milliseconds: wall.milliseconds - at.milliseconds)
    }
}
