/// Scheme, host and port (RFC 6454): the only thing credentials are ever compared by.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// Lower case; an IPv6 address stands in brackets.
    public let host: String
    /// Always present: the scheme's default (80, 443) when the URL names none.
    public let port: Int

    public init(scheme: String, host: String, port: Int) {
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port
    }

    /// Nil for anything but an absolute http or https URL.
    public init?(url: String) {
        guard let url = HTTPURL(url) else { return nil }
        self = url.origin
    }

    public var isSecure: Bool { scheme == "https" }

    public var description: String {
        port == (isSecure ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
