import Digest
import Library

/// One audio file of one episode, wherever it is served from.
public struct MediaKey: Hashable, Sendable {
    public var episode: EpisodeID
    /// The server's number of the enclosure.
    public var enclosure: Int

    public init(_ episode: EpisodeID, enclosure: Int) {
        self.episode = episode
        self.enclosure = enclosure
    }

    /// Name of the whole file: a digest, so that no title can collide, escape the folder or be too long (OFF-12).
    public var fileName: String {
        // Lengths first: no two identities can spell the same text.
        let parts = [episode.server, episode.feed, episode.guid, String(enclosure)]
        return SHA256.hex(of: parts.map { "\($0.utf8.count):\($0)" }.joined())
    }

    /// Name while it is not whole.
    public var partName: String { fileName + Self.partSuffix }

    static let partSuffix = ".part"

    /// True for names we gave: anything else in the folder is a stranger's.
    static func isOurs(_ name: String) -> Bool {
        let digits = name.hasSuffix(partSuffix) ? name.dropLast(partSuffix.count) : name[...]
        return digits.utf8.count == 64 && digits.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
