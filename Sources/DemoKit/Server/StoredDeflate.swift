/// DEFLATE without compression (RFC 1951, section 3.2.4): valid for every reader, and no library is needed to make it.
enum StoredDeflate {
    static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var start = 0
        repeat {
            let end = min(start + 65535, bytes.count)
            let length = UInt16(end - start)
            out.append(end == bytes.count ? 1 : 0)
            out += [UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]
            out += bytes[start..<end]
            start = end
        } while start < bytes.count
        return out
    }

    /// RFC 1952.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        return header + deflate(bytes) + bigEndian(crc32(bytes)).reversed()
            + bigEndian(UInt32(truncatingIfNeeded: bytes.count)).reversed()
    }

    /// RFC 1950.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return [0x78, 0x01] + deflate(bytes) + bigEndian(b << 16 | a)
    }

    /// RFC 1952, section 8.
    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc = ~UInt32(0)
        for byte in bytes { crc = crcTable[Int((crc ^ UInt32(byte)) & 255)] ^ (crc >> 8) }
        return ~crc
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        var value = UInt32(index)
        for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0xEDB8_8320 : value >> 1 }
        return value
    }

    static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// A square PNG of one colour (PNG specification, third edition, chapters 5 and 11).
func plainPNG(size: Int, color: (red: UInt8, green: UInt8, blue: UInt8)) -> [UInt8] {
    let side = StoredDeflate.bigEndian(UInt32(size))
    let row: [UInt8] = [0] + (0..<size).flatMap { _ in [color.red, color.green, color.blue] }
    let image = StoredDeflate.zlib((0..<size).flatMap { _ in row })
    // 8 bits a channel, colour type 2 (RGB), no interlace.
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", side + side + [8, 2, 0, 0, 0])
        + chunk("IDAT", image) + chunk("IEND", [])
}

private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let named = Array(type.utf8) + data
    return StoredDeflate.bigEndian(UInt32(data.count)) + named + StoredDeflate.bigEndian(StoredDeflate.crc32(named))
}
