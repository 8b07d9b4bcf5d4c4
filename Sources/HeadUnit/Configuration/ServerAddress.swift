import HTTPClient

/// The address of an ipx server, or of its API: https, or plain http within one's own network only, because credentials
/// travel there.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Scheme, host, port and path, without a slash at the end.
    public let url: String

    public var description: String { url }

    /// A bare host gets `https://`.
    public init(_ text: String) throws(ServerAddressError) {
        guard !text.isEmpty, !text.contains(where: { $0.isWhitespace }) else { throw .notAnAddress(text) }
        guard let url = HTTPURL(text.contains("://") ? text : "https://" + text) else { throw .notAnAddress(text) }
        let rest = url.string.drop { $0 != ":" }.dropFirst(3)
        guard !rest.prefix(while: { $0 != "/" && $0 != "?" }).contains("@") else { throw .holdsCredentials }
        guard !rest.contains("?") else { throw .notAnAddress(text) }
        guard url.origin.isSecure || Self.isOwnNetwork(url.origin.host) else { throw .plainText(host: url.origin.host) }
        let trimmed = url.string.reversed().drop { $0 == "/" }.reversed()
        self.url = String(trimmed)
    }

    /// Loopback, private and link-local addresses (RFC 1918, 3927, 4193, 4291) and `.local` names (RFC 6762). A name that
    /// only resolves to such an address does not count: who answers for it may change with the network.
    static func isOwnNetwork(_ host: String) -> Bool {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        if name == "localhost" || name.hasSuffix(".localhost") || name.hasSuffix(".local") { return true }
        if name.hasPrefix("[") { return isOwnIPv6(name.dropFirst().prefix { $0 != "]" && $0 != "%" }) }
        return isOwnIPv4(name)
    }

    private static func isOwnIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 4, let a = parts[0], let b = parts[1], parts[2] != nil, parts[3] != nil else { return false }
        return switch (a, b) {
        case (127, _), (10, _), (172, 16...31), (192, 168), (169, 254): true
        default: false
        }
    }

    /// The text has passed libcurl's parser, so it is a well-formed address.
    private static func isOwnIPv6(_ address: Substring) -> Bool {
        let groups = address.split(separator: ":", omittingEmptySubsequences: false)
        let isLoopback = groups.last == "1" && groups.dropLast().allSatisfy { $0.allSatisfy { $0 == "0" } }
        guard !isLoopback, let first = groups.first.flatMap({ UInt16($0, radix: 16) }) else { return isLoopback }
        return (0xfc00...0xfdff).contains(first) || (0xfe80...0xfebf).contains(first)
    }
}

public enum ServerAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    case notAnAddress(String)
    case holdsCredentials
    case plainText(host: String)

    public var description: String {
        switch self {
        case .notAnAddress(let text): "'\(text)' is no address of a server"
        case .holdsCredentials: "a name or password does not belong into the address"
        case .plainText(let host):
            "http:// would send the sign-in readable by others and is only for one's own network; use https://\(host)"
        }
    }
}
