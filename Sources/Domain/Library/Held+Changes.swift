extension Held {
    /// Positions closer than this would be the same push again.
    static let samePush: Seconds = 0.1

    /// After more was heard here. `entry` is the server's side as the box knows it, the base of a first record.
    public static func hearing(_ record: PositionRecord, on former: Held?, entry: Episode?, isUrgent: Bool) -> Held {
        let base = former?.base ?? entry.map(SyncBase.init) ?? SyncBase()
        var held = Held(record: record, base: base, unsent: former?.unsent ?? [], isUrgent: isUrgent)
        held.sequence = (former?.sequence ?? 0) + 1
        if held.base.version == nil { held.base.version = record.baseVersion }
        held.record.baseVersion = held.base.version
        let wasRead = former?.record.isRead ?? entry?.isRead ?? false
        // Read stays: what is heard again was heard before.
        held.record.isRead = wasRead || record.isRead || record.isFinished
        if held.record.isRead, !wasRead { held.unsent.insert(.read) }
        if !held.isSamePlace(as: former) { held.unsent.insert(.position) }
        return held
    }

    private func isSamePlace(as former: Held?) -> Bool {
        guard let former = former?.record else { return false }
        return abs(former.position - record.position) < Self.samePush && former.isFinished == record.isFinished
            && former.enclosure == record.enclosure
    }

    /// After the read mark was reached, or set by hand: the position is not claimed by it.
    public static func marking(_ episode: EpisodeID, read stamp: Stamp, on former: Held?, entry: Episode?) -> Held {
        let known = PositionRecord(
            episode: episode, position: entry?.position ?? 0, duration: entry?.duration, listened: stamp)
        var held = former ?? Held(record: known, base: entry.map(SyncBase.init) ?? SyncBase(), sequence: 0)
        guard !held.record.isRead else { return held }
        held.record.isRead = true
        held.unsent.insert(.read)
        held.sequence += 1
        held.isUrgent = true
        return held
    }

    /// After the server took what was `sequence` when it was sent. A newer change made meanwhile stays unsent; its base is the
    /// version just made. An answer that was overtaken by a later one changes nothing.
    public func acknowledging(_ kind: PushKind, sequence sent: Int, _ answer: PushAnswer) -> Held {
        if let version = answer.version, let known = base.version, version < known { return self }
        var held = self
        held.base = kind == .position ? SyncBase(answer) : baseAfterRead(answer)
        held.record.baseVersion = held.base.version
        // Read is never taken back here, so any answer to it is the last word; a position only when none is newer.
        if kind == .read || sent == sequence { held.unsent.remove(kind.unsent) }
        return held
    }

    /// A read mark is written whatever the version, so only the very next one proves that nobody else moved the position
    /// meanwhile; otherwise the former base stays and the next list or 409 tells.
    private func baseAfterRead(_ answer: PushAnswer) -> SyncBase {
        guard let version = answer.version, base.version.map({ version == $0 + 1 }) ?? false else { return base }
        return SyncBase(version: version, updated: answer.updated ?? base.updated, position: base.position)
    }

    /// After the server said for good that it will not take it (the entry is gone): kept here, no longer sent.
    public func refused(_ kind: PushKind, sequence sent: Int) -> Held {
        guard sent == sequence else { return self }
        var held = self
        held.unsent.remove(kind.unsent)
        return held
    }

    /// With the wall time of its boot, once known.
    public func stamped(by clock: ServerClock) -> Held {
        var held = self
        held.record.listened = clock.settled(record.listened)
        return held
    }
}

/// The server's 200 to a push; a server without versions says less.
public struct PushAnswer: Hashable, Sendable {
    public var version: Int?
    public var updated: WallTime?
    /// The position that was sent or, if the server says, kept.
    public var position: Seconds?

    public init(version: Int? = nil, updated: WallTime? = nil, position: Seconds? = nil) {
        self.version = version
        self.updated = updated
        self.position = position
    }
}

extension SyncBase {
    init(_ answer: PushAnswer) { self.init(version: answer.version, updated: answer.updated, position: answer.position) }
}
