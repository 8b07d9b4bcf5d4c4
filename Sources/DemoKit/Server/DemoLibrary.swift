/// What a demo server serves: plain values, changed by the requests it gets and by the test that owns it.
public struct DemoLibrary: Sendable {
    public var user = DemoUser()
    public var shows: [DemoShow]

    public init(shows: [DemoShow] = []) { self.shows = shows }

    public subscript(feed feed: String, guid guid: String) -> DemoEpisode? {
        get { shows.first { $0.id == feed }?.episodes.first { $0.guid == guid } }
        set {
            guard let newValue, let show = shows.firstIndex(where: { $0.id == feed }),
                let episode = shows[show].episodes.firstIndex(where: { $0.guid == guid })
            else { return }
            shows[show].episodes[episode] = newValue
        }
    }
}

/// `GET /api/me`.
public struct DemoUser: Sendable {
    public var id = "u1"
    /// Identity of the server; nil for one that has none.
    public var server: String? = "demo-ipx"
    public var name = "Demo"
    public var rate = 1.0
    public var skipForward = 30.0
    public var skipBack = 15.0

    public init() {}
}

public struct DemoShow: Sendable {
    public var id: String
    public var title: String
    /// Artwork is a plain PNG of this colour unless `artwork` holds an image.
    public var color: (red: UInt8, green: UInt8, blue: UInt8)
    public var artwork: [UInt8]?
    public var episodes: [DemoEpisode]

    public init(
        id: String, title: String, color: (red: UInt8, green: UInt8, blue: UInt8) = (40, 90, 160), artwork: [UInt8]? = nil,
        episodes: [DemoEpisode] = []
    ) {
        self.id = id
        self.title = title
        self.color = color
        self.artwork = artwork
        self.episodes = episodes
    }
}

public struct DemoEpisode: Sendable {
    /// Nil: the feed gave this entry no guid.
    public var guid: String?
    public var title: String
    /// Seconds since 1970.
    public var published: Double
    /// Seconds; nil is sent as null.
    public var duration: Double?
    public var position: Double
    public var isRead: Bool
    /// Seconds since 1970; nil before the first write.
    public var updated: Double?
    public var version: Int
    public var chapters: [(start: Double, title: String)]
    public var enclosures: [DemoEnclosure]

    public init(
        guid: String?, title: String, published: Double = 1_750_000_000, duration: Double? = nil, position: Double = 0,
        isRead: Bool = false, updated: Double? = nil, version: Int = 1, chapters: [(start: Double, title: String)] = [],
        enclosures: [DemoEnclosure] = []
    ) {
        self.guid = guid
        self.title = title
        self.published = published
        self.duration = duration
        self.position = position
        self.isRead = isRead
        self.updated = updated
        self.version = version
        self.chapters = chapters
        self.enclosures = enclosures
    }
}

public struct DemoEnclosure: Sendable {
    public enum Content: Sendable {
        case bytes([UInt8])
        /// A file, read when asked for.
        case file(String)
        /// Another origin's absolute URL; this server doesn't serve it.
        case elsewhere(url: String)
    }

    public var number: Int
    /// Served as `/media/` + name; one path segment or more, unreserved characters only.
    public var name: String
    public var type: String
    public var content: Content
    /// A new number is a new file behind the same address: other ETag, other Last-Modified.
    public var revision: Int

    public init(number: Int = 0, name: String, type: String = "audio/mpeg", content: Content, revision: Int = 1) {
        self.number = number
        self.name = name
        self.type = type
        self.content = content
        self.revision = revision
    }

    /// As listed in an entry.
    public var url: String {
        if case .elsewhere(let url) = content { return url }
        return "/media/" + name
    }
}
