/// A WAV file whose samples say which second they belong to: second n is the constant 100 · (n + 1).
enum StairWave {
    static let rate = 8_000

    static func level(second: Int) -> Int16 { Int16(100 * (second + 1)) }

    static func file(seconds: Int) -> [UInt8] {
        let data = (0..<seconds).flatMap { second in
            [[UInt8]](repeating: bytes(Int(level(second: second)), 2), count: rate).flatMap { $0 }
        }
        let format = bytes(1, 2) + bytes(1, 2) + bytes(rate, 4) + bytes(rate * 2, 4) + bytes(2, 2) + bytes(16, 2)
        return Array("RIFF".utf8) + bytes(36 + data.count, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4) + format
            + Array("data".utf8) + bytes(data.count, 4) + data
    }

    /// The samples of what mpv's `ao=pcm` writes: 16 bit, one channel, its header 68 bytes long.
    static func samples(_ file: [UInt8]) -> [Int16] {
        let data = file.dropFirst(68)
        return stride(from: data.startIndex, to: data.endIndex - 1, by: 2).map {
            Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8)
        }
    }

    private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
