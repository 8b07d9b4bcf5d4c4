import DemoKit
import Glibc

/// Files of odd make, kept between runs beside the tones they are made of.
enum Made {
    /// ID3v2.3 with one APIC frame of 8 MB (id3.org), a JPEG only by its first bytes, and the tones behind it.
    static func withCover(_ number: Int, seconds: Double) throws -> [UInt8] {
        let picture: [UInt8] = [0xff, 0xd8, 0xff, 0xe0] + [UInt8](repeating: 0x55, count: 8_000_000)
        let content = [0] + Array("image/jpeg".utf8) + [0, 3, 0] + picture
        let frame = Array("APIC".utf8) + big(content.count, bits: 8) + [0, 0] + content
        return Array("ID3".utf8) + [3, 0, 0] + big(frame.count, bits: 7) + frame
            + bytes(try ToneEpisode(number: number, seconds: seconds).path)
    }

    /// m4a, its index at the end.
    static func lateIndex(_ number: Int, seconds: Double) throws -> String {
        try convert(number, seconds: seconds, to: "m4a", ["-c:a", "aac", "-b:a", "64k"])
    }

    /// mp3 that says nothing of its length.
    static func withoutLength(_ number: Int, seconds: Double) throws -> String {
        try convert(number, seconds: seconds, to: "bare.mp3", ["-c:a", "copy", "-write_xing", "0", "-id3v2_version", "0"])
    }

    private static func convert(_ number: Int, seconds: Double, to ending: String, _ how: [String]) throws -> String {
        let tone = try ToneEpisode(number: number, seconds: seconds).path
        let path = "\(tone).\(ending)"
        guard access(path, R_OK) != 0 else { return path }
        let part = "\(tone).\(getpid()).\(ending)"
        _ = try ChildProcess.run(["ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-i", tone] + how + [part])
        rename(part, path)
        return path
    }

    static func bytes(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var (all, piece): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 65536))
        while true {
            let count = read(file, &piece, piece.count)
            guard count > 0 else { return all }
            all += piece[..<count]
        }
    }

    private static func big(_ value: Int, bits: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(value >> ($0 * bits) & (1 << bits - 1)) }
    }
}
