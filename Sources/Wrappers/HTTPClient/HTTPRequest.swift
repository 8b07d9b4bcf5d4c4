/// One request, redirects included.
public struct HTTPRequest: Sendable {
    public var method: String
    /// Absolute, http or https.
    public var url: String
    /// The path is of our own making: a segment of encoded dots is a name there. Else it is a step, as newer libcurl reads it.
    public var hasOwnPath = false
    /// `Accept-Encoding`, `User-Agent` and `Host` are the client's own business.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]?
    public var credentials: Credentials?
    /// For name, connection and TLS of one hop.
    public var connectTimeout: Duration
    /// For everything, all hops together. Nil: as long as it takes.
    public var timeout: Duration?
    /// The longest silence (no header, no body byte) that is borne; time spent paused doesn't count. Nil: any.
    public var stallTimeout: Duration?

    public init(
        method: String = "GET", url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        credentials: Credentials? = nil, connectTimeout: Duration = .seconds(15), timeout: Duration? = nil,
        stallTimeout: Duration? = .seconds(20)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.credentials = credentials
        self.connectTimeout = connectTimeout
        self.timeout = timeout
        self.stallTimeout = stallTimeout
    }
}
