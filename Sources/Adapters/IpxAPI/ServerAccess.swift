import HTTPClient
import Library
import Linux

/// Where the server is and how this box proves who it is.
public struct ServerAccess: Hashable, Sendable {
    /// The page's address: sign-in, and everything when there is no token.
    public var server: ServerAddress
    /// Where the token is sent; nil: to the server.
    public var apiAddress: ServerAddress?
    public var token: Secret?
    /// Path of the cookie jar.
    public var cookieJar: String?
    /// For an access proxy in front of the server; sent to the server's address only.
    public var proxyHeaders: [ProxyHeader]

    public struct ProxyHeader: Hashable, Sendable {
        public var name: String
        public var value: Secret

        public init(name: String, value: Secret) {
            self.name = name
            self.value = value
        }
    }

    public init(
        server: ServerAddress, apiAddress: ServerAddress? = nil, token: Secret? = nil, cookieJar: String? = nil,
        proxyHeaders: [ProxyHeader] = []
    ) {
        self.server = server
        self.apiAddress = apiAddress
        self.token = token.flatMap { $0.isEmpty ? nil : $0 }
        self.cookieJar = cookieJar
        self.proxyHeaders = proxyHeaders
    }

    /// Where every request but the sign-in goes.
    public var base: ServerAddress { token == nil ? server : apiAddress ?? server }

    /// For requests to `base`.
    public var credentials: Credentials? {
        guard let token else { return serverCredentials }
        let headers = base.origin == server.origin ? plainProxyHeaders : []
        return base.origin.map { Credentials(origin: $0, bearer: token.reveal(), extraHeaders: headers) }
    }

    /// For the sign-in: never the token.
    var serverCredentials: Credentials? {
        server.origin.map { Credentials(origin: $0, extraHeaders: plainProxyHeaders, cookieJar: cookieJar) }
    }

    private var plainProxyHeaders: [(String, String)] { proxyHeaders.map { ($0.name, $0.value.reveal()) } }
}

extension ServerAddress {
    /// Nil only for what libcurl can't read though we can.
    var origin: Origin? { Origin(url: url) }
}
