import FoundationEssentials

/// JSON as servers send it.
enum ServerJSON {
    /// RFC 8259, section 8.1: nothing but UTF-8 is JSON.
    struct NotUTF8: Error {}

    /// Checked before it is decoded: the decoder of Swift 6.0 ends the whole process on some bytes that are no UTF-8.
    static func decoded<T: Decodable>(_ type: T.Type, from bytes: some Sequence<UInt8>) throws -> T {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw NotUTF8() }
        return try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
