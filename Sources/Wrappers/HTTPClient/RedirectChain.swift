/// A request on its way through redirects: where it goes next, and what it may still carry (pure; NET-01, NET-03…05).
struct RedirectChain {
    static let hopLimit = 8

    private(set) var url: HTTPURL
    private(set) var method: String
    private(set) var body: [UInt8]?
    private(set) var hops = 0
    /// Bearer, service headers and cookies go with the next hop.
    private(set) var carriesCredentials: Bool
    private let beganWithCredentials: Bool
    /// The first hop was answered from a public address; set once that is known.
    var beganPublic: Bool?

    init(_ request: HTTPRequest) throws(HTTPError) {
        guard let url = HTTPURL(request.url, hasOwnPath: request.hasOwnPath) else { throw .badURL }
        self.url = url
        method = request.method
        body = request.body
        carriesCredentials = request.credentials.map { $0.origin == url.origin } ?? false
        beganWithCredentials = carriesCredentials || url.hasUserInfo || request.carriesOwnCredentials
        hasLeftOrigin = false
    }

    /// The chain has left its first origin: headers of the caller that are credentials in disguise stay behind too.
    private(set) var hasLeftOrigin: Bool

    static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The next hop (RFC 9110, section 15.4), or why there is none.
    mutating func follow(status: Int, location: String) throws(HTTPError) {
        guard hops < Self.hopLimit else { throw .redirectLoop }
        guard let next = url.resolving(location) else { throw .refusedRedirect(.notHTTP) }
        let leaves = next.origin != url.origin
        if beganWithCredentials, url.origin.isSecure, !next.origin.isSecure { throw .refusedRedirect(.insecure) }
        changeMethod(status)
        if leaves, body != nil { throw .refusedRedirect(.bodyToOtherOrigin) }
        if leaves {
            carriesCredentials = false
            hasLeftOrigin = true
        }
        url = next
        hops += 1
    }

    /// 303 always becomes GET, 301 and 302 only after a POST, as browsers do (fetch standard, HTTP-redirect fetch).
    private mutating func changeMethod(_ status: Int) {
        let becomesGet = (status == 303 && method != "HEAD") || ([301, 302].contains(status) && method == "POST")
        guard becomesGet else { return }
        method = "GET"
        body = nil
    }
}

extension HTTPRequest {
    static let credentialNames: Set<String> = ["authorization", "cookie", "proxy-authorization"]

    var carriesOwnCredentials: Bool { headers.contains { Self.credentialNames.contains($0.name.lowercased()) } }
}
