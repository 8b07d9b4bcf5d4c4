import DemoKit
import Foundation

/// Files to play. Tones say which second of which episode they are (`ToneCode`).
enum Sound: Hashable, Sendable {
    case tone(Int)
    /// The same with a cover picture of 8 MB in front.
    case toneWithCover
    /// As m4a, its index at the end.
    case lateIndex
    /// A playlist that points at a file and into the network.
    case playlist
    case garbage
    case page
    case empty

    static let length = 60.0

    var name: String { "\(self)" }
    var seconds: Double? { self == .garbage || self == .empty || self == .page ? nil : Self.length }

    func bytes() throws -> [UInt8] {
        switch self {
        case .tone(let number): try Self.read(ToneEpisode(number: number, seconds: Self.length).path)
        case .toneWithCover: try cover + Self.tone(1).bytes()
        case .lateIndex: try Self.lateIndexFile()
        case .playlist: Array("#EXTM3U\n#EXTINF:60,\nfile:///etc/hostname\n#EXTINF:60,\nhttp://127.0.0.1:9/x.mp3\n".utf8)
        case .garbage: (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        case .page: Array(String(repeating: "<html><body>Please sign in</body></html>\n", count: 500).utf8)
        case .empty: []
        }
    }

    /// ID3v2.3 with one APIC frame (id3.org): a JPEG only by its first bytes.
    private var cover: [UInt8] {
        let picture: [UInt8] = [0xff, 0xd8, 0xff, 0xe0] + [UInt8](repeating: 0x55, count: 8_000_000)
        let content = [0] + Array("image/jpeg".utf8) + [0, 3, 0] + picture
        let frame = Array("APIC".utf8) + big(content.count, bits: 8) + [0, 0] + content
        return Array("ID3".utf8) + [3, 0, 0] + big(frame.count, bits: 7) + frame
    }

    private func big(_ value: Int, bits: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(value >> ($0 * bits) & (1 << bits - 1)) }
    }

    private static func lateIndexFile() throws -> [UInt8] {
        let tone = try ToneEpisode(number: 2, seconds: length)
        let path = tone.path + ".m4a"
        if !FileManager.default.fileExists(atPath: path) {
            let part = path + ".\(UUID()).m4a"
            _ = try ChildProcess.run([
                "ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-i", tone.path, "-c:a", "aac", "-b:a", "64k", part,
            ])
            rename(part, path)
        }
        return try read(path)
    }

    private static func read(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
}
