/// The host of an address: a name, a dotted IPv4 or a bracketed IPv6 address.
struct HostName: Hashable, Sendable {
    /// Lower case, without a root dot at its end.
    let text: String
    /// Loopback, private or link-local address, `localhost`, or a name of multicast DNS (RFC 6762, section 3).
    let isOnOwnNetwork: Bool

    /// Nil when it is none of these. International names have to be given in their ASCII form.
    init?(_ text: Substring) {
        var name = text.lowercased()
        if name.hasPrefix("[") {
            guard let address = Self.ipv6(name) else { return nil }
            self.text = name
            isOnOwnNetwork = Self.isOwn(ipv6: address)
            return
        }
        if name.hasSuffix(".") { name.removeLast() }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, !labels.isEmpty, labels.allSatisfy(Self.isLabel) else { return nil }
        // A last label that is a number makes it an IPv4 address (WHATWG URL, "ends in a number"): then it must be a whole one,
        // since other readers take 127.1 or 0x7f000001 for one too.
        if let last = labels.last, last.allSatisfy(\.isNumber) || last.hasPrefix("0x") {
            guard let address = Self.ipv4(labels) else { return nil }
            isOnOwnNetwork = Self.isOwn(ipv4: address)
        } else {
            isOnOwnNetwork = labels.last == "local" && labels.count > 1 || labels.last == "localhost"
        }
        self.text = name
    }

    /// RFC 1123, section 2.1, and the underscore that home networks use.
    private static func isLabel(_ label: Substring) -> Bool {
        let isPlain = label.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
        }
        return isPlain && (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
    }

    private static func ipv4(_ labels: [Substring]) -> [UInt8]? {
        guard labels.count == 4 else { return nil }
        let bytes = labels.compactMap { $0.count > 1 && $0.hasPrefix("0") ? nil : UInt8($0) }
        return bytes.count == 4 ? bytes : nil
    }

    /// RFC 1122 (loopback), 1918 (private), 3927 (link-local).
    private static func isOwn(ipv4 a: [UInt8]) -> Bool {
        switch (a[0], a[1]) {
        case (127, _), (10, _), (192, 168), (169, 254), (172, 16...31): true
        default: false
        }
    }

    /// The eight groups of `[…]`, a zone (RFC 6874: `%25zone`) left aside.
    private static func ipv6(_ bracketed: String) -> [UInt16]? {
        guard bracketed.hasSuffix("]") else { return nil }
        let parts = bracketed.dropFirst().dropLast().split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first, parts.count == 1 || isZone(parts[1]) else { return nil }
        guard let gap = address.indices.first(where: { address[$0...].hasPrefix("::") }) else {
            return groups(address).flatMap { $0.count == 8 ? $0 : nil }
        }
        let behind = address[address.index(gap, offsetBy: 2)...]
        guard let head = groups(address[..<gap]), let tail = groups(behind), head.count + tail.count < 8 else { return nil }
        return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func isZone(_ zone: Substring) -> Bool { zone.hasPrefix("25") && zone.count > 2 && isLabel(zone) }

    private static func groups(_ text: Substring) -> [UInt16]? {
        if text.isEmpty { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard let four = ipv4(part.split(separator: ".", omittingEmptySubsequences: false)) else { return nil }
                groups += [UInt16(four[0]) << 8 | UInt16(four[1]), UInt16(four[2]) << 8 | UInt16(four[3])]
            } else {
                guard part.utf8.count <= 4, part.allSatisfy(\.isHexDigit), let group = UInt16(part, radix: 16) else {
                    return nil
                }
                groups.append(group)
            }
        }
        return groups
    }

    /// RFC 4291 (loopback, link-local, IPv4-mapped), 4193 (unique local).
    private static func isOwn(ipv6 a: [UInt16]) -> Bool {
        if a[0..<5].allSatisfy({ $0 == 0 }), a[5] == 0xFFFF {
            return isOwn(ipv4: [a[6] >> 8, a[6] & 255, a[7] >> 8, a[7] & 255].map { UInt8($0) })
        }
        if a[0..<7].allSatisfy({ $0 == 0 }) { return a[7] == 1 }
        return a[0] & 0xFE00 == 0xFC00 || a[0] & 0xFFC0 == 0xFE80
    }
}
