extension String {
    /// Everything but unreserved characters (RFC 3986, section 2.3) as `%XX`.
    public var percentEncoded: String {
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        var text = String.UnicodeScalarView()
        for byte in utf8 {
            if Self.isUnreserved(byte) {
                text.append(Unicode.Scalar(byte))
            } else {
                text.append(contentsOf: ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return String(text)
    }

    /// As one path segment. `.` and `..` alone would be taken for steps in the path, so their dots are encoded.
    var asSegment: String {
        switch self {
        case ".": "%2E"
        case "..": "%2E%2E"
        default: percentEncoded
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~".utf8.contains(byte)
        }
    }
}
