/// Tells a web page from audio by its first bytes; the announced type is no help (NET-08).
struct PageSniffer: Sendable {
    enum Finding: Hashable, Sendable {
        case page, audio
        /// Not enough bytes yet.
        case open
    }

    private static let starts = ["<!doctype html", "<html", "<head", "<!--"].map { Array($0.utf8) }
    private static let longest = 14
    /// A page may begin with so much white space; more is taken for sound.
    private static let window = 4096

    static func look(_ bytes: [UInt8], isWhole: Bool = false) -> Finding {
        var rest = bytes[...]
        // A byte order mark hides nothing.
        if rest.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
        rest = rest.drop { [9, 10, 11, 12, 13, 32].contains($0) }
        let head = rest.prefix(longest).map { (65...90).contains($0) ? $0 + 32 : $0 }
        if starts.contains(where: { head.starts(with: $0) }) { return .page }
        let mayStillBe = starts.contains { $0.starts(with: head) && head.count < $0.count }
        return mayStillBe && !isWhole && bytes.count < window ? .open : .audio
    }
}
