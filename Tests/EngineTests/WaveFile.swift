import DemoKit
import Foundation

/// What mpv's `ao=pcm` wrote: 16 bit, the first channel of it.
struct WaveFile {
    let rate: Int
    let mono: [Int16]

    /// Waits up to `within` seconds for the header to be completed, which mpv does when it closes the file.
    init(_ path: String, within: Double) throws {
        let deadline = MonotonicClock.now + within
        while true {
            let bytes = (try? [UInt8](Data(contentsOf: URL(filePath: path)))) ?? []
            if let wave = WaveFile(bytes) {
                self = wave
                return
            }
            guard MonotonicClock.now < deadline else { throw Missed(what: path, told: [], log: []) }
            usleep(5_000)
        }
    }

    /// `WAVE_FORMAT_EXTENSIBLE`, 68 bytes of header; nil until its length fits.
    private init?(_ bytes: [UInt8]) {
        func number(_ place: Int, _ count: Int) -> Int {
            (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
        }
        guard bytes.count > 68, number(64, 4) == bytes.count - 68, number(34, 2) == 16 else { return nil }
        let (channels, size) = (number(22, 2), number(32, 2))
        guard channels > 0, size == channels * 2 else { return nil }
        rate = number(24, 4)
        mono = stride(from: 68, to: bytes.count - size + 1, by: size).map { Int16(truncatingIfNeeded: number($0, 2)) }
    }
}
