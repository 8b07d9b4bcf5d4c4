/// `ADDR:PORT`, an IPv6 address in brackets; port 0 takes any free one.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// Without brackets.
    public let host: String
    public let port: UInt16

    public static let standard = ListenAddress(host: "0.0.0.0", port: 8643)

    private init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.contains(":")
        guard !host.isEmpty, isBracketed || !host.contains(where: { ":[] /".contains($0) }) else { return nil }
        self.init(host: isBracketed ? String(host.dropFirst().dropLast()) : String(host), port: port)
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
