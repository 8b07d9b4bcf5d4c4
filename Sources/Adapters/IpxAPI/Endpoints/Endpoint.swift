/// Every request of the contract that answers with JSON or takes a sign-in: method, path and query stand here and nowhere else.
enum Endpoint: Hashable, Sendable {
    case me
    case feeds
    case unread(Page)
    case entries(feed: String, unreadOnly: Bool, Page)
    case entry(feed: String, guid: String)
    case position(feed: String, guid: String)
    case read(feed: String, guid: String)
    case login

    /// One page of a list.
    struct Page: Hashable, Sendable {
        var order: ListOrder
        /// Entries; the server may give fewer.
        var limit: Int
        /// The `next` of the page before; nil for the first.
        var after: String?
    }

    var method: String {
        switch self {
        case .me, .feeds, .unread, .entries, .entry: "GET"
        case .position, .read: "PUT"
        case .login: "POST"
        }
    }

    /// Path and query below the server's address.
    var target: String {
        switch self {
        case .me: "/api/me"
        case .feeds: "/api/feeds"
        case .unread(let page): "/api/entries/unread?" + Self.query(page)
        case .entries(let feed, let unreadOnly, let page):
            "/api/entries/\(feed.asSegment)?" + (unreadOnly ? "unread=1&" : "") + Self.query(page)
        case .entry(let feed, let guid): "/api/entries/\(feed.asSegment)/\(guid.asSegment)"
        case .position(let feed, let guid): "/api/entries/\(feed.asSegment)/\(guid.asSegment)/position"
        case .read(let feed, let guid): "/api/entries/\(feed.asSegment)/\(guid.asSegment)/read"
        case .login: "/api/login"
        }
    }

    /// What a server may lack; nil for what no server can be without.
    var feature: Feature? {
        switch self {
        case .me, .entry, .login: nil
        case .feeds: .feeds
        case .unread: .unreadList
        case .entries: .feedList
        case .position: .positions
        case .read: .readFlags
        }
    }

    /// The body of `login`: `application/x-www-form-urlencoded`.
    static func loginForm(user: String, password: String) -> [UInt8] {
        Array("user=\(user.percentEncoded)&password=\(password.percentEncoded)".utf8)
    }

    private static func query(_ page: Page) -> String {
        let after = page.after.map { "&after=\($0.percentEncoded)" } ?? ""
        return "order=\(page.order.rawValue)&limit=\(page.limit)\(after)"
    }
}

/// In which order the server lists entries: by publication.
public enum ListOrder: String, Hashable, Sendable { case oldest, newest }

/// A part of the contract that a server may lack; it is then left alone.
public enum Feature: String, Hashable, Sendable {
    case feeds, unreadList = "unread-list", feedList = "feed-list", positions, readFlags = "read-flags", artwork
}

/// Paths that a listed address may lead to: nothing else is ever asked with credentials (the API address' firewall lets
/// nothing else through).
enum ListedPath {
    static let media = "/media/"
    static let artwork = "/api/art"

    static func isAllowed(_ path: some StringProtocol) -> Bool { path.hasPrefix(media) || path == artwork }
}

extension Endpoint {
    /// For the log: no identifiers.
    var name: String {
        switch self {
        case .me: "me"
        case .feeds: "feeds"
        case .unread: "unread"
        case .entries: "entries"
        case .entry: "entry"
        case .position: "position"
        case .read: "read"
        case .login: "login"
        }
    }
}
