import Glibc

/// The contract's state and endpoints: one value behind the server's lock.
struct Site: Sendable {
    var library: DemoLibrary
    var token: String?
    var login: DemoLogin?
    /// Only bearer requests to the contract's paths pass, as behind its firewall.
    var isAPIAddress = false
    var basePath = ""
    var sessions: Set<String> = []
    var faults = FaultBook()
    private var serial = 0

    init(library: DemoLibrary, token: String?, login: DemoLogin?) {
        self.library = library
        self.token = token
        self.login = login
    }

    /// The answer, and what about the request breaks the contract.
    mutating func answer(_ request: ServedRequest) -> (answer: Answer, violation: String?) {
        serial += 1
        guard request.path.hasPrefix(basePath + "/") else { return (.plain(404, "not below the base path"), nil) }
        let path = String(request.path.dropFirst(basePath.count))
        let holding = faults.holding(for: request, path: path)
        let violation = violation(request, path: path)
        var answer = right(request, path: path, violation: violation, faults: holding)
        let bending = Bending(request: request, serial: serial)
        for fault in holding { bending.bend(&answer, by: fault) }
        date(&answer, holding)
        return (answer, violation)
    }

    func credential(_ request: ServedRequest) -> LoggedRequest.Credential {
        if let authorization = request.headers["authorization"] {
            let words = authorization.split(separator: " ", maxSplits: 1)
            guard words.first == "Bearer" else { return .other(scheme: words.first.map(String.init) ?? "") }
            return .bearer(matches: words.count == 2 && words[1] == token ?? "")
        }
        guard let cookies = request.headers["cookie"] else { return .none }
        let session = cookies.split(separator: ";").map(\.trimmed).first { $0.hasPrefix("ipx_session=") }
        return .cookie(matches: session.map { sessions.contains(String($0.dropFirst(12))) } ?? false)
    }

    private mutating func right(
        _ request: ServedRequest, path: String, violation: String?, faults: [Fault]
    ) -> Answer {
        if violation != nil { return .plain(403, "blocked") }
        if path == "/api/login" { return signIn(request) }
        guard isAllowed(request) else { return .plain(401, "sign in") }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        switch (request.method, segments.first, segments.dropFirst().first) {
        case ("GET", "api", "me"): return me()
        case ("GET", "api", "feeds"): return feeds()
        case ("GET", "api", "art"): return art(request)
        case (_, "api", "entries"): return entries(request, Array(segments.dropFirst(2)), faults)
        case ("GET", "media", _), ("HEAD", "media", _): return media(request, path, faults)
        default: return .plain(404, "no such page")
        }
    }

    private func isAllowed(_ request: ServedRequest) -> Bool {
        switch credential(request) {
        case .bearer(let matches), .cookie(let matches): matches
        case .none, .other: token == nil && login == nil
        }
    }

    /// What ipx-api.md forbids a client: other paths with a bearer, anything without one at the API address, an entry's
    /// address that isn't percent-encoded.
    private func violation(_ request: ServedRequest, path: String) -> String? {
        let isBearer = request.headers["authorization"] != nil
        if isBearer || isAPIAddress {
            let exact = ["/api/feeds", "/api/me", "/api/art"]
            let below = ["/api/entries/", "/media/"]
            guard exact.contains(path) || below.contains(where: { path.hasPrefix($0) }) else {
                return "\(request.method) \(path) at the API address"
            }
        }
        if isAPIAddress && !isBearer { return "no bearer at the API address" }
        let isPlain = path.utf8.allSatisfy { Self.isUnreserved($0) || $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "/") }
        return isPlain || path.hasPrefix("/media/") ? nil : "reserved characters in \(path)"
    }

    /// RFC 3986, section 2.3.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~".utf8.contains(byte)
        }
    }

    private mutating func signIn(_ request: ServedRequest) -> Answer {
        let form = ServedRequest.form(String(decoding: request.body, as: UTF8.self))
        guard request.method == "POST", let login, form["user"] == login.user, form["password"] == login.password else {
            return .plain(401, "wrong name or password")
        }
        let session = "s\(serial)-\(UInt64.random(in: 0...UInt64.max))"
        sessions.insert(session)
        return Answer(204, headers: [("Set-Cookie", "ipx_session=\(session); Path=/; HttpOnly; Max-Age=2592000")])
    }

    private func date(_ answer: inout Answer, _ faults: [Fault]) {
        var text: String? = httpDate(wallSeconds())
        for fault in faults {
            if case .dateOffset(let seconds) = fault.kind { text = httpDate(wallSeconds() + seconds) }
            if case .date(let fixed) = fault.kind { text = fixed }
        }
        answer.set("Date", text)
    }
}

/// Name and password for `POST /api/login`.
public struct DemoLogin: Hashable, Sendable {
    public var user: String
    public var password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}
