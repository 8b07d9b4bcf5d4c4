import Library
import Playback

/// An episode's name on the wire. Two feeds may use one guid, so both halves always travel together.
public struct EpisodeTarget: Hashable, Sendable, Codable {
    public var feedId: String
    public var guid: String

    public init(feedId: String, guid: String) {
        self.feedId = feedId
        self.guid = guid
    }

    public init(_ id: EpisodeID) { self.init(feedId: id.feed, guid: id.guid) }

    /// The server is not part of the wire form: a box has one server at a time.
    public func names(_ id: EpisodeID) -> Bool { feedId == id.feed && guid == id.guid }
}

/// What plays, as the remote shows it.
public struct RemoteEpisode: Hashable, Sendable, Codable {
    public var feedId: String
    public var guid: String
    public var title: String
    public var feedTitle: String
    /// ISO 8601 in UTC.
    @OrNull public var published: String?
    /// A path on the box, `/api/artwork/ID`; nil when there is none to fetch.
    @OrNull public var artwork: String?
    @OrNull public var duration: Seconds?
    public var chapters: [RemoteChapter]

    /// `duration` is the player's, which knows the file; the server's word is only a guess.
    public init(_ episode: Episode, duration: Seconds?, artwork: String? = nil) {
        feedId = episode.id.feed
        guid = episode.id.guid
        title = episode.title
        feedTitle = episode.feedTitle
        published = episode.published.map(iso8601)
        self.artwork = artwork
        self.duration = duration?.finite
        chapters = episode.chapters.map { RemoteChapter(start: $0.start, title: $0.title) }
    }

    public var target: EpisodeTarget { EpisodeTarget(feedId: feedId, guid: guid) }
}

public struct RemoteChapter: Hashable, Sendable, Codable {
    public var start: Seconds
    public var title: String
}

/// One entry of the queue.
public struct RemoteQueueEntry: Hashable, Sendable, Codable {
    public var feedId: String
    public var guid: String
    public var title: String
    public var feedTitle: String
    @OrNull public var duration: Seconds?
    @OrNull public var position: Seconds?
    /// Complete on the box.
    public var kept: Bool

    public init(_ queued: Queued) {
        feedId = queued.episode.id.feed
        guid = queued.episode.id.guid
        title = queued.episode.title
        feedTitle = queued.episode.feedTitle
        duration = queued.episode.duration?.finite
        position = queued.position.finite
        kept = queued.isKept
    }

    public var target: EpisodeTarget { EpisodeTarget(feedId: feedId, guid: guid) }
}

/// The kept episodes in one glance.
public struct RemoteKept: Hashable, Sendable, Codable {
    public struct Fetching: Hashable, Sendable, Codable {
        public var feedId: String
        public var guid: String
        /// Bytes on the disk.
        public var done: Int64
        /// Bytes in all; nil when the server doesn't tell.
        @OrNull public var total: Int64?

        public init(_ episode: EpisodeID, done: Int64, total: Int64?) {
            feedId = episode.feed
            guid = episode.guid
            self.done = done
            self.total = total
        }
    }

    /// Complete episodes in the cache, and their bytes.
    public var count: Int
    public var bytes: Int64
    /// The one that is on its way, if any.
    @OrNull public var fetching: Fetching?

    public init(count: Int, bytes: Int64, fetching: Fetching? = nil) {
        self.count = count
        self.bytes = bytes
        self.fetching = fetching
    }
}
