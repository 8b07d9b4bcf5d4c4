/// Every JSON field name of the server, here and nowhere else.
enum Field: String, CodingKey {
    // GET /api/me
    case id, server, name, unread, settings, rate, skipForward, skipBack
    // GET /api/feeds (with id, title, artwork, unread)
    case title, artwork
    // GET /api/entries/…
    case entries, next
    // an entry (with title, artwork)
    case feedId, guid, feedTitle, published, duration, position, read, updated, version, chapters, enclosures
    // a chapter (with title)
    case start
    // an enclosure
    case enc, url, type, length
    // the bodies of PUT (with enc, position, duration, version, read)
    case at, device
}
