/// A line of the journal: one change of an episode's position, with both values.
public struct PositionChange: Hashable, Sendable {
    /// Where it came from when it was no hearing (`Heard.Reason` has those).
    public enum Cause: String, Hashable, Sendable {
        /// The server's position replaced the one held here.
        case server
        /// The one held here stood against the server's.
        case stood
        case undo
    }

    public var number: Int
    public var episode: EpisodeID
    /// In force since this change.
    public var position: Seconds
    /// The one that gave way; nil when there was none.
    public var other: Seconds?
    /// `Heard.Reason` or `Cause`, as written.
    public var reason: String
    public var stamp: Stamp

    public init(number: Int, episode: EpisodeID, position: Seconds, other: Seconds?, reason: String, stamp: Stamp) {
        self.number = number
        self.episode = episode
        self.position = position
        self.other = other
        self.reason = reason
        self.stamp = stamp
    }
}
