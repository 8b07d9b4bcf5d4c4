import Glibc

/// Whether an address is somebody's own network (loopback, private, link-local, shared) or the public one: RFC 6890's table.
enum AddressScope {
    case publicNetwork, ownNetwork

    /// `text` is an address as libcurl prints it; anything unreadable counts as our own network, the cautious answer.
    static func of(_ text: String) -> AddressScope {
        let plain = text.split(separator: "%", maxSplits: 1).first.map(String.init) ?? text
        if let four = bytes(plain, AF_INET, 4) { return ofIPv4(four) }
        if let six = bytes(plain, AF_INET6, 16) { return ofIPv6(six) }
        return .ownNetwork
    }

    private static func bytes(_ text: String, _ family: Int32, _ count: Int) -> [UInt8]? {
        var address = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &address) == 1 ? address : nil
    }

    private static func ofIPv4(_ a: [UInt8]) -> AddressScope {
        switch (a[0], a[1]) {
        case (0, _), (10, _), (127, _), (169, 254), (192, 168): .ownNetwork
        case (172, 16...31), (100, 64...127): .ownNetwork
        case (224..., _): .ownNetwork
        default: .publicNetwork
        }
    }

    private static func ofIPv6(_ a: [UInt8]) -> AddressScope {
        let mapped = a[0..<10].allSatisfy { $0 == 0 } && a[10] == 0xff && a[11] == 0xff
        let translated = a[0..<4] == [0x00, 0x64, 0xff, 0x9b] && a[4..<12].allSatisfy { $0 == 0 }
        if mapped || translated { return ofIPv4(Array(a[12..<16])) }
        if a[0..<15].allSatisfy({ $0 == 0 }) { return .ownNetwork }
        if a[0] & 0xfe == 0xfc || a[0] == 0xff { return .ownNetwork }
        if a[0] == 0xfe, a[1] & 0x80 == 0x80 { return .ownNetwork }
        return .publicNetwork
    }
}
