import Library

/// An entry as the server lists it. Only an object can be one; everything in it may be missing, and
/// nothing is weighed yet.
struct WireEntry: Decodable {
    var feed: String?
    var guid: String?
    var title: String
    var feedTitle: String
    var published: WallTime?
    var duration: Seconds?
    var position: Seconds?
    var isRead: Bool
    var updated: WallTime?
    var version: Int?
    var artwork: String?
    var chapters: [Chapter]
    var enclosures: [Enclosure]

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        feed = fields.text(.feedId)
        guid = fields.text(.guid)
        title = fields.text(.title) ?? ""
        feedTitle = fields.text(.feedTitle) ?? ""
        published = fields.time(.published)
        duration = fields.seconds(.duration)
        position = fields.seconds(.position)
        isRead = fields.flag(.read) ?? false
        updated = fields.time(.updated)
        version = fields.integer(.version).map { Int($0) }
        artwork = fields.text(.artwork)
        chapters = fields.items(.chapters, of: WireChapter.self).map(\.chapter)
        enclosures = Self.enclosures(fields)
    }

    /// Nil when it belongs to no feed. `feed`: the one that was asked for, if it was one.
    func episode(server: String, feed asked: String? = nil) -> Episode? {
        guard let feed = feed ?? asked else { return nil }
        let id =
            guid.map { EpisodeID(server: server, feed: feed, guid: $0) }
            ?? .local(server: server, feed: feed, key: localKey)
        return Episode(
            id: id, title: title, feedTitle: feedTitle, published: published, duration: duration, position: position,
            isRead: isRead, updated: updated, version: guid == nil ? nil : version, artwork: artwork, chapters: chapters,
            enclosures: enclosures
        ).sanitized
    }

    /// Tells two entries without guid apart, the same each time. A query is left out of the address: it may carry a signature
    /// that changes; date and title tell those apart that differ in nothing else.
    private var localKey: String {
        let url = enclosures.first?.url.prefix { $0 != "?" && $0 != "#" } ?? ""
        return "\(url)|\(published.map { ISODate.text($0) } ?? "")|\(title)"
    }

    /// Numbered by their place where the server gives no number.
    private static func enclosures(_ fields: KeyedDecodingContainer<Field>) -> [Enclosure] {
        fields.items(.enclosures, of: WireEnclosure.self).enumerated().map { index, wire in
            Enclosure(number: wire.number ?? index, url: wire.url, type: wire.type, length: wire.length)
        }
    }
}

private struct WireChapter: Decodable {
    var chapter: Chapter

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        guard let start = fields.seconds(.start) else { throw Unreadable() }
        chapter = Chapter(start: start, title: fields.text(.title) ?? "")
    }
}

private struct WireEnclosure: Decodable {
    var number: Int?
    var url: String
    var type: String?
    var length: Int64?

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        guard let url = fields.text(.url) else { throw Unreadable() }
        self.url = url
        number = fields.integer(.enc).map { Int($0) }
        type = fields.text(.type)
        length = fields.integer(.length).flatMap { $0 > 0 ? $0 : nil }
    }
}
