/// Who an episode is: the server's identity (`me.server`, else `me.id`; never its address), the feed and the guid.
public struct EpisodeID: Hashable, Sendable {
    public var server: String
    public var feed: String
    /// The feed's guid, or one made on the box (see `isLocal`) for an entry that has none.
    public var guid: String

    public init(server: String, feed: String, guid: String) {
        self.server = server
        self.feed = feed
        self.guid = guid
    }

    static let localPrefix = "ipx-car-local:"

    /// An entry without guid is playable, but its position lives on the box only. `key` tells two of them apart.
    public static func local(server: String, feed: String, key: String) -> EpisodeID {
        EpisodeID(server: server, feed: feed, guid: localPrefix + key)
    }

    /// True when the server has no name for this entry, so nothing about it may be pushed.
    public var isLocal: Bool { guid.hasPrefix(Self.localPrefix) }
}

/// One audio file of an episode.
public struct Enclosure: Hashable, Sendable {
    /// The server's number for it (`enc`).
    public var number: Int
    /// As the server lists it: a path below the server's address, or an absolute URL of any origin.
    public var url: String
    /// MIME type as listed; often missing or odd, never trusted over the bytes.
    public var type: String?
    /// Bytes as listed; a hint only.
    public var length: Int64?

    public init(number: Int, url: String, type: String? = nil, length: Int64? = nil) {
        self.number = number
        self.url = url
        self.type = type
        self.length = length
    }
}

public struct Chapter: Hashable, Sendable {
    public var start: Seconds
    public var title: String

    public init(start: Seconds, title: String) {
        self.start = start
        self.title = title
    }
}

/// An entry of the ipx server, as far as the box knows it. Unknown is nil, never an invented value.
public struct Episode: Hashable, Sendable {
    public var id: EpisodeID
    public var title: String
    public var feedTitle: String
    public var published: WallTime?
    /// Seconds as the server lists them; the file's own duration wins once it is open.
    public var duration: Seconds?
    /// Where the server last knew the listener; nil when it never said a believable value.
    public var position: Seconds?
    public var isRead: Bool
    public var updated: WallTime?
    public var version: Int?
    /// Path or URL of the artwork.
    public var artwork: String?
    public var chapters: [Chapter]
    public var enclosures: [Enclosure]

    public init(
        id: EpisodeID, title: String, feedTitle: String, published: WallTime? = nil, duration: Seconds? = nil,
        position: Seconds? = nil, isRead: Bool = false, updated: WallTime? = nil, version: Int? = nil,
        artwork: String? = nil, chapters: [Chapter] = [], enclosures: [Enclosure] = []
    ) {
        self.id = id
        self.title = title
        self.feedTitle = feedTitle
        self.published = published
        self.duration = duration
        self.position = position
        self.isRead = isRead
        self.updated = updated
        self.version = version
        self.artwork = artwork
        self.chapters = chapters
        self.enclosures = enclosures
    }
}

/// A feed of the server.
public struct Show: Hashable, Sendable {
    public var id: String
    public var title: String
    public var artwork: String?
    public var unread: Int?

    public init(id: String, title: String, artwork: String? = nil, unread: Int? = nil) {
        self.id = id
        self.title = title
        self.artwork = artwork
        self.unread = unread
    }
}
