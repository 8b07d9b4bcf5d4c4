/// The address of an ipx server (or of its API): https, or http on one's own network only, with an optional base path.
///
/// Rules of `ipx-car server`: a bare host gets `https://`; `http://` is for loopback, private and link-local addresses and
/// `.local` names. What a value holds was checked, so it can be used as it is.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    public enum Scheme: String, Hashable, Sendable { case http, https }

    public let scheme: Scheme
    /// Lower case; an IPv6 address stands in brackets.
    public let host: String
    /// Nil: the scheme's own.
    public let port: Int?
    /// Empty, or `/…` without a slash at its end.
    public let basePath: String

    /// Why text is no address.
    public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        case empty
        case scheme(String)
        case userInfo
        case host(String)
        case port(String)
        case queryOrFragment
        case path(String)
        case plainHTTP(host: String)

        public var description: String {
            switch self {
            case .empty: "the address is empty"
            case .scheme(let scheme): "\(scheme):// is not understood, only https:// and http://"
            case .userInfo: "a name or password does not belong in the address"
            case .host(let host): "\"\(host)\" is no host name or address"
            case .port(let port): "\"\(port)\" is no port (1 to 65535)"
            case .queryOrFragment: "the address must not have a ? or # part"
            case .path(let path): "\"\(path)\" is no path"
            case .plainHTTP(let host):
                "http:// is for one's own network only (loopback, private, link-local, .local), and \(host) is not; use https://"
            }
        }
    }

    public init(_ text: String) throws(Refusal) {
        let (scheme, rest) = try Self.scheme(of: Self.trimmed(text))
        guard !rest.contains(where: { $0 == "?" || $0 == "#" }) else { throw .queryOrFragment }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = rest[..<slash]
        guard !authority.contains("@") else { throw .userInfo }
        let (host, port) = try Self.hostAndPort(authority)
        let name = HostName(host)
        guard let name else { throw .host(String(host)) }
        if scheme == .http, !name.isOnOwnNetwork { throw .plainHTTP(host: name.text) }
        self.scheme = scheme
        self.host = name.text
        self.port = port == (scheme == .https ? 443 : 80) ? nil : port
        basePath = try Self.basePath(rest[slash...])
    }

    /// Without a slash at its end.
    public var url: String { "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")\(basePath)" }

    public var description: String { url }

    private static func scheme(of text: Substring) throws(Refusal) -> (Scheme, Substring) {
        guard !text.isEmpty else { throw .empty }
        guard let end = place(of: "://", in: text) else { return (.https, text) }
        let name = text[..<end].lowercased()
        guard let scheme = Scheme(rawValue: name) else { throw .scheme(name) }
        return (scheme, text[text.index(end, offsetBy: 3)...])
    }

    private static func hostAndPort(_ authority: Substring) throws(Refusal) -> (Substring, Int?) {
        var host = authority
        var port: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { throw .host(String(authority)) }
            host = authority[...end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw .host(String(authority)) }
            if !rest.isEmpty { port = rest.dropFirst() }
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            port = authority[authority.index(after: colon)...]
        }
        guard let port else { return (host, nil) }
        guard port.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(port), (1...65535).contains(number) else {
            throw .port(String(port))
        }
        return (host, number)
    }

    private static func basePath(_ path: Substring) throws(Refusal) -> String {
        let segments = path.split(separator: "/")
        let plain = segments.joined().utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }
        guard plain, !segments.contains("."), !segments.contains("..") else { throw .path(String(path)) }
        return segments.map { "/\($0)" }.joined()
    }

    private static func trimmed(_ text: String) -> Substring {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
        return start[...last]
    }

    private static func place(of part: String, in text: Substring) -> Substring.Index? {
        text.indices.first { text[$0...].hasPrefix(part) }
    }
}
