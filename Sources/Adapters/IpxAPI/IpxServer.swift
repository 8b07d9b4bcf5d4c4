import EventLoop
import FoundationEssentials
import HTTPClient
import Library
import Linux

/// The ipx server of one listener. Every call is one request (a list: one for each page); nothing is repeated here, backing off
/// is the caller's.
@Core
public final class IpxServer {
    /// Where and as whom; a change forgets what was learnt of the former server.
    public var access: ServerAccess {
        didSet {
            guard access != oldValue else { return }
            if access.server != oldValue.server || access.base != oldValue.base { identity = nil }
            missing = []
            hasAnswered = false
        }
    }
    /// Who the server is, as `me` last told or as handed in from the store; entries need it.
    public private(set) var identity: String?
    /// The Date of an answer of the server itself, and the moment of this boot it belongs to: the middle of the request.
    public var onDate: (@Core (WallTime, Instant) -> Void)?
    /// Parts of the contract that this server lacks.
    public private(set) var missing: Set<Feature> = []

    let client: HTTPClient
    let device: String
    let log: Log
    private let now: @Sendable () -> Instant
    /// True once this server gave a right answer in this run, so that a 404 is believed to be its own.
    private var hasAnswered = false

    /// `identity`: of the last run, nil when unknown. `device`: how this box is called in records, `ipx-car VERSION`.
    public init(
        client: HTTPClient, access: ServerAccess, identity: String? = nil, device: String, log: Log,
        now: @escaping @Sendable () -> Instant = { Instant(nanoseconds: Clocks.monotonic()) }
    ) {
        self.client = client
        self.access = access
        self.identity = identity
        self.device = device
        self.log = log
        self.now = now
    }

    public func me() async throws(CallFailure) -> ServerUser {
        let asked = access
        let user = try await ask(.me, for: ServerUser.self)
        guard asked == access else { throw CallFailure(.internal, "the server was changed meanwhile") }
        identity = user.identity
        return user
    }

    public func feeds() async throws(CallFailure) -> [Show] {
        let feeds = try await ask(.feeds, for: [Readable<WireFeed>].self)
        let shows = feeds.compactMap { $0.value?.show }
        noteDropped(feeds.count - shows.count, of: feeds.count, in: .feeds)
        guard feeds.isEmpty || !shows.isEmpty else { throw CallFailure(.notAnAnswer, "no feed of the list can be read") }
        return shows
    }

    /// A fresh look at one entry.
    public func entry(_ id: EpisodeID) async throws(CallFailure) -> Episode {
        guard !id.isLocal else { throw CallFailure(.notFound, "an entry without guid has no address") }
        guard try await id.server == knownIdentity() else { throw CallFailure(.internal, "an entry of another server") }
        let wire = try await ask(.entry(feed: id.feed, guid: id.guid), for: WireEntry.self)
        return try episode(wire, asked: id)
    }

    /// Name and password for a session, which the cookie jar keeps. Always to the server itself, never with the token.
    public func login(user: String, password: Secret) async throws(CallFailure) {
        guard let credentials = access.serverCredentials, credentials.cookieJar != nil else {
            throw CallFailure(.internal, "no cookie jar to keep the session in")
        }
        var request = HTTPRequest(method: Endpoint.login.method, url: access.server.url + Endpoint.login.target)
        request.headers = [("Content-Type", "application/x-www-form-urlencoded")]
        request.body = Endpoint.loginForm(user: user, password: password.reveal())
        request.credentials = credentials
        let response = try await send(request)
        try Judgement.accept(response, from: credentials.origin, feature: nil)
        // A form that is shown again with 200 is no session.
        if Judgement.isPage(response.body) { throw CallFailure(.signIn, "the sign-in page came again") }
    }

    /// The request for an enclosure's bytes, with the credentials it may carry; nil when it must not be asked for.
    public func request(for enclosure: Enclosure) -> HTTPRequest? {
        guard let address = ListedAddress(enclosure.url, access) else { return nil }
        return HTTPRequest(url: address.url.string, credentials: address.credentials)
    }

    // MARK: - For the other files of this class

    func ask<T: Decodable>(_ endpoint: Endpoint, for type: T.Type, body: [UInt8]? = nil) async throws(CallFailure) -> T {
        let response = try await ask(endpoint, body: body)
        do throws(CallFailure) {
            let value = try Judgement.value(type, of: response, from: origin(), feature: endpoint.feature)
            hasAnswered = true
            return value
        } catch {
            throw switchedOff(error, endpoint)
        }
    }

    /// The raw answer, whatever its status.
    func ask(_ endpoint: Endpoint, body: [UInt8]? = nil) async throws(CallFailure) -> HTTPResponse {
        if let feature = endpoint.feature, missing.contains(feature) {
            throw CallFailure(.unsupported(feature), "known to be missing")
        }
        var request = HTTPRequest(method: endpoint.method, url: access.base.url + endpoint.target, body: body)
        request.hasOwnPath = true
        request.headers = [("Accept", "application/json")]
        if body != nil { request.headers.append(("Content-Type", "application/json")) }
        request.credentials = access.credentials
        return try await send(request)
    }

    func send(_ request: HTTPRequest) async throws(CallFailure) -> HTTPResponse {
        var request = request
        request.timeout = .seconds(60)
        let start = now()
        do throws(HTTPError) {
            let response = try await client.send(request)
            noteDate(of: response, from: start, to: now())
            return response
        } catch {
            throw CallFailure(error)
        }
    }

    func origin() throws(CallFailure) -> Origin {
        guard let origin = access.base.origin else { throw CallFailure(.badAddress, "\(access.base)") }
        return origin
    }

    /// The identity, asked for when it isn't known yet.
    func knownIdentity() async throws(CallFailure) -> String {
        if let identity { return identity }
        return try await me().identity
    }

    func episode(_ wire: WireEntry, asked id: EpisodeID) throws(CallFailure) -> Episode {
        guard var episode = wire.episode(server: id.server, feed: id.feed) else {
            throw CallFailure(.notAnAnswer, "an entry of no feed")
        }
        guard wire.guid == nil || episode.id == id else { throw CallFailure(.notAnAnswer, "another entry than asked for") }
        episode.id = id
        return episode
    }

    func noteDropped(_ count: Int, of all: Int, in endpoint: Endpoint) {
        guard count > 0 else { return }
        log.info("items of a list can't be read, left out", ["list": endpoint.name, "dropped": count, "of": all])
    }

    /// The part is missing at this server: said once, and not asked for again until the access changes.
    func switchOff(_ feature: Feature) -> CallFailure {
        if missing.insert(feature).inserted {
            log.info("the server lacks a part, switched off", ["part": feature.rawValue])
        }
        return CallFailure(.unsupported(feature), "the server lacks it")
    }

    /// A list that is not there is a part that is missing, once the server has shown that it is the one that answers.
    private func switchedOff(_ failure: CallFailure, _ endpoint: Endpoint) -> CallFailure {
        guard hasAnswered, let feature = endpoint.feature else { return failure }
        switch (failure.kind, endpoint) {
        case (.unsupported, _), (.notFound, .feeds), (.notFound, .unread): return switchOff(feature)
        default: return failure
        }
    }

    /// Only the server itself is believed, and over http only when it didn't answer with a page.
    private func noteDate(of response: HTTPResponse, from start: Instant, to end: Instant) {
        guard let origin = Origin(url: response.finalURL), origin == access.base.origin || origin == access.server.origin,
            origin.isSecure || !Judgement.isPage(response.body), let date = response.date.flatMap({ HTTPDate.parse($0) })
        else { return }
        onDate?(date, start.advanced(by: end.seconds(since: start) / 2))
    }
}
