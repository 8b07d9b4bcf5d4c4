import Linux

/// A random UUID, version 4 (RFC 9562): names this start of the service.
func uuid() -> String {
    var bytes = RandomBytes.make(16)
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
}
