import EventLoop
import IpxAPI
import Library
import Linux
import Media
import Playback
import Storage

/// What there is to hear: the server's list as last known, and the queue made of it.
@Core
final class Catalog {
    private let store: Store
    private let server: IpxServer
    private let media: MediaLibrary
    private let log: Log
    var order = EpisodeQueue.Order.feed
    private(set) var unread: Int?
    /// What the server says of an entry that is also held here.
    var onListed: (@Core (Episode) throws(CallFailure) -> Void)?

    /// Entries asked for and offered at most.
    private static let limit = 200

    init(store: Store, server: IpxServer, media: MediaLibrary, log: Log) {
        self.store = store
        self.server = server
        self.media = media
        self.log = log
    }

    /// Asks the server for everything again. Lists that are none leave the former ones standing.
    func refresh() async throws(CallFailure) {
        let user = try await server.me()
        unread = user.unread
        let listing = try await server.unread(order: order == .newest ? .newest : .oldest, limit: Self.limit)
        guard !listing.isSuspiciouslyEmpty else {
            return log.info("the server's list is empty though it counts unread ones; the former list stays")
        }
        try stored { () throws(Failure) in
            try store.setServerIdentity(user.identity)
            try store.setListed(listing.episodes)
        }
        for episode in listing.episodes { try onListed?(episode) }
    }

    private func stored(_ body: () throws(Failure) -> Void) throws(CallFailure) {
        do { try body() } catch { throw CallFailure(.internal, "the store failed: \(error)") }
    }

    /// What plays after `current`; only what is kept when there is no network.
    func queue(after current: Episode?, isOnline: Bool) -> [Queued] {
        attempt([]) { () throws(Failure) in
            let listed = try unread(store.listed(feed: current?.id, newestFirst: order == .newest, limit: Self.limit))
            let known = Dictionary(listed.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
            let ordered = EpisodeQueue.ordered(listed, current: current, order: order) { [media] id in
                isOnline || known[id].map(media.isKept) == true
            }
            return ordered.map(queued)
        }
    }

    /// What came to its end here is read, whatever the list of a quarter of an hour ago says.
    private func unread(_ listed: [Episode]) throws(Failure) -> [Episode] {
        var unread: [Episode] = []
        for entry in listed where try store.held(entry.id)?.record.isRead != true { unread.append(entry) }
        return unread
    }

    /// The episode with the position merged from here and the server.
    func queued(_ episode: Episode) -> Queued {
        let held = attempt(nil) { () throws(Failure) in try store.held(episode.id) }
        let place = held.map { $0.record.isFinished ? 0 : $0.record.position } ?? episode.position ?? 0
        return Queued(
            episode, position: place, away: held.flatMap { away($0.record.listened) }, isKept: media.isKept(episode))
    }

    func find(_ matches: (EpisodeID) -> Bool, current: Episode?) -> Queued? {
        if let current, matches(current.id) { return queued(current) }
        let listed = attempt([]) { () throws(Failure) in try store.listed(limit: 100_000) }
        return listed.first { matches($0.id) }.map(queued)
    }

    /// What the last drive left.
    func lastDrive() -> (Queued, wasPlaying: Bool)? {
        attempt(nil) { () throws(Failure) in try store.current() }.map { (queued($0.episode), $0.wasPlaying) }
    }

    /// Seconds since then, where this boot's clock can tell.
    private func away(_ stamp: Stamp) -> Seconds? {
        guard let boot = try? Clocks.bootID(), stamp.boot == boot else { return nil }
        return max(0, monotonicNow().seconds(since: stamp.at))
    }

    private func attempt<T>(_ otherwise: T, _ body: () throws(Failure) -> T) -> T {
        do { return try body() } catch {
            log.error("the store can't be read", ["cause": error])
            return otherwise
        }
    }
}
