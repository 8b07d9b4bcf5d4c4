/// What the box holds of one episode: the newest record and how far the server has been told.
public struct Held: Hashable, Sendable {
    public var record: PositionRecord
    /// What the server was last known to have; the record was heard on top of it.
    public var base: SyncBase
    /// What the server has not acknowledged yet.
    public var unsent: Unsent
    /// Counts the changes made here of this episode, so that an answer to an older one can be told from the newest.
    public var sequence: Int
    /// The newest change was more than play running on, so it is sent at once.
    public var isUrgent: Bool

    public init(
        record: PositionRecord, base: SyncBase = SyncBase(), unsent: Unsent = [], sequence: Int = 1, isUrgent: Bool = false
    ) {
        self.record = record
        self.base = base
        self.unsent = unsent
        self.sequence = sequence
        self.isUrgent = isUrgent
    }

    /// What to send next. Read goes first; the version it returns is the base of the position (ipx-api.md).
    public var nextPush: PushKind? {
        guard !record.episode.isLocal else { return nil }
        if unsent.contains(.read) { return .read }
        return unsent.contains(.position) ? .position : nil
    }

    /// The entry has to be read before this is pushed: its version is unknown.
    public var needsFetch: Bool { base.version == nil }
}

/// Which of the two the server has to be told.
public struct Unsent: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let position = Unsent(rawValue: 1)
    public static let read = Unsent(rawValue: 2)
}

/// One request of the outbox.
public enum PushKind: Hashable, Sendable {
    case position
    case read

    public var unsent: Unsent { self == .read ? .read : .position }
}

/// The server's side as last agreed with. Without versions the other two tell whether it has moved on.
public struct SyncBase: Hashable, Sendable {
    public var version: Int?
    public var updated: WallTime?
    public var position: Seconds?

    public init(version: Int? = nil, updated: WallTime? = nil, position: Seconds? = nil) {
        self.version = version
        self.updated = updated
        self.position = position
    }

    public init(_ remote: Episode) {
        self.init(version: remote.version, updated: remote.updated, position: remote.position)
    }
}
