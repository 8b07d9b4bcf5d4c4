import FoundationEssentials

/// JSON that others wrote. Names are looked at before it is decoded: the decoder of Swift 6.0 (Debian 13) ends the whole process
/// on a member's name that is no UTF-8 or has a broken escape, where newer ones throw.
public enum OutsideJSON {
    /// RFC 8259: not UTF-8 (section 8.1), or a name that is no string (section 7).
    public struct Broken: Error {}

    /// Throws `Broken` or what the decoder throws.
    public static func decoded<T: Decodable>(_ type: T.Type, from bytes: some Sequence<UInt8>) throws -> T {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Broken() }
        var reader = NameReader(bytes: Array(text.utf8))
        guard reader.areSound() else { throw Broken() }
        return try JSONDecoder().decode(type, from: Data(reader.bytes))
    }
}

/// Goes through a text string by string; what stands between them is the decoder's to judge.
private struct NameReader {
    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// False at the first broken string with a colon behind it. A broken value is left to the decoder, which may not need it.
    mutating func areSound() -> Bool {
        while let byte = next() {
            guard byte == UInt8(ascii: "\"") else { continue }
            let isSound = string()
            while place < bytes.count, " \t\r\n".utf8.contains(bytes[place]) { place += 1 }
            if !isSound, place < bytes.count, bytes[place] == UInt8(ascii: ":") { return false }
        }
        return true
    }

    private mutating func next() -> UInt8? {
        guard place < bytes.count else { return nil }
        defer { place += 1 }
        return bytes[place]
    }

    /// Up to and with the closing quote.
    private mutating func string() -> Bool {
        var isSound = true
        while let byte = next(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") {
                if !escape() { isSound = false }
            } else if byte < 0x20 {
                isSound = false
            }
        }
        return isSound
    }

    private mutating func escape() -> Bool {
        guard let byte = next() else { return false }
        guard byte == UInt8(ascii: "u") else { return #""\/bfnrt"#.utf8.contains(byte) }
        guard let first = unit(), !(0xDC00...0xDFFF ~= first) else { return false }
        guard 0xD800...0xDBFF ~= first else { return true }
        // A pair of surrogates, or half of one.
        guard bytes[place...].starts(with: #"\u"#.utf8) else { return false }
        place += 2
        return unit().map { 0xDC00...0xDFFF ~= $0 } ?? false
    }

    /// Four hexadecimal digits; nothing is passed over when they are none.
    private mutating func unit() -> UInt32? {
        let digits = bytes[place...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
        place += 4
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
