import CCrypto

/// SHA-256 (FIPS 180-4) by libcrypto.
public enum SHA256 {
    /// 64 lower-case hexadecimal digits.
    public static func hex(of bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        var length: UInt32 = 0
        let done = EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil)
        // Fails only when libcrypto has no SHA-256 at all or no memory for its context: nothing can go on from there.
        precondition(done == 1 && length == digest.count, "libcrypto has no SHA-256")
        return hexadecimal(digest)
    }

    /// Of the UTF-8 bytes of `text`.
    public static func hex(of text: String) -> String { hex(of: Array(text.utf8)) }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
