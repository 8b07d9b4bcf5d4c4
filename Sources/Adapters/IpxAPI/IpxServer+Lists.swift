import EventLoop
import Library

/// Entries as the server lists them, less those without any enclosure: there is nothing to play.
public struct Listing: Hashable, Sendable {
    public var episodes: [Episode]
    /// True when the list stopped at the bound, not at its end.
    public var isTruncated: Bool
    /// Empty, while the server's own count doesn't say that nothing is left: kept lists should stay (field fault NET-10).
    public var isSuspiciouslyEmpty: Bool

    public init(episodes: [Episode], isTruncated: Bool = false, isSuspiciouslyEmpty: Bool = false) {
        self.episodes = episodes
        self.isTruncated = isTruncated
        self.isSuspiciouslyEmpty = isSuspiciouslyEmpty
    }
}

extension IpxServer {
    /// Entries asked for in one page.
    static let pageSize = 100

    /// Everything unread of all feeds, at most `limit` entries. A page that fails fails the whole: half a list is none.
    public func unread(order: ListOrder, limit: Int) async throws(CallFailure) -> Listing {
        var listing = try await list(limit: limit, order: order) { .unread($0) }
        if listing.episodes.isEmpty {
            let unread = try await me().unread
            listing.isSuspiciouslyEmpty = unread != 0
        }
        return listing
    }

    /// The entries of one feed, at most `limit`.
    public func entries(
        _ feed: String, unreadOnly: Bool = false, order: ListOrder = .oldest, limit: Int = 500
    ) async throws(CallFailure) -> Listing {
        try await list(limit: limit, order: order, feed: feed) { .entries(feed: feed, unreadOnly: unreadOnly, $0) }
    }

    private func list(
        limit: Int, order: ListOrder, feed: String? = nil, endpoint: (Endpoint.Page) -> Endpoint
    ) async throws(CallFailure) -> Listing {
        let server = try await knownIdentity()
        var collected = Collected(limit: limit)
        var cursors: Set<String> = []
        var page = Endpoint.Page(order: order, limit: min(limit, Self.pageSize))
        while true {
            let asked = endpoint(page)
            let answer = try await ask(asked, for: WirePage.self)
            let read = answer.entries.compactMap { $0?.episode(server: server, feed: feed) }
            noteDropped(answer.entries.count - read.count, of: answer.entries.count, in: asked)
            guard answer.entries.isEmpty || !read.isEmpty else {
                throw CallFailure(.notAnAnswer, "no entry of the list can be read")
            }
            let isNews = collected.add(read)
            // A cursor that comes again, or that brings nothing new, would go round for ever.
            guard let next = answer.next, cursors.insert(next).inserted, isNews else {
                return collected.listing(hasMore: false)
            }
            if collected.isFull { return collected.listing(hasMore: true) }
            page.after = next
        }
    }
}

/// Pages put together, each entry once, up to a limit.
private struct Collected {
    let limit: Int
    private var episodes: [Episode] = []
    private var seen: Set<EpisodeID> = []
    private var isCut = false

    init(limit: Int) { self.limit = max(1, limit) }

    var isFull: Bool { episodes.count >= limit }

    /// False when there was nothing new in them.
    mutating func add(_ page: [Episode]) -> Bool {
        let fresh = page.filter { seen.insert($0.id).inserted }
        let playable = fresh.filter { !$0.enclosures.isEmpty }
        isCut = isCut || episodes.count + playable.count > limit
        episodes += playable.prefix(limit - episodes.count)
        return !fresh.isEmpty
    }

    func listing(hasMore: Bool) -> Listing { Listing(episodes: episodes, isTruncated: hasMore || isCut) }
}
