/// How far one episode was heard on this box, as stored and as sent.
public struct PositionRecord: Hashable, Sendable {
    public var episode: EpisodeID
    /// The enclosure that was heard.
    public var enclosure: Int
    public var position: Seconds
    public var duration: Seconds?
    public var isRead: Bool
    public var listened: Stamp
    /// The server's version this record was heard on top of; nil for a server without versions or one not read yet.
    public var baseVersion: Int?
    /// Set by a true end: position 0 here counts as fully heard, not as never started.
    public var isFinished: Bool

    public init(
        episode: EpisodeID, enclosure: Int = 0, position: Seconds, duration: Seconds? = nil, isRead: Bool = false,
        listened: Stamp, baseVersion: Int? = nil, isFinished: Bool = false
    ) {
        self.episode = episode
        self.enclosure = enclosure
        self.position = position
        self.duration = duration
        self.isRead = isRead
        self.listened = listened
        self.baseVersion = baseVersion
        self.isFinished = isFinished
    }
}
