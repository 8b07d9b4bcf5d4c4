/// Durations as feeds write them: seconds, or `[H:]MM:SS`, with blanks around (POS-18). Anything else is unknown.
public enum DurationText {
    /// A length: more than 0, at most `Episode.longest`.
    public static func seconds(_ text: String) -> Seconds? { place(text).flatMap { $0 > 0 ? $0 : nil } }

    /// A place in an episode: 0 is one too.
    public static func place(_ text: String) -> Seconds? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { trimmed($0) }
        guard (1...3).contains(parts.count), parts.allSatisfy(isNumber) else { return nil }
        let numbers = parts.compactMap { Seconds($0) }
        guard numbers.count == parts.count, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let total = numbers.reduce(0) { $0 * 60 + $1 }
        return total <= Episode.longest ? total : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let front = text.drop { $0.isWhitespace }
        guard let last = front.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return front[...last]
    }

    /// Digits and one point at most; `Double` alone would take "nan", "0x1p3" and "1e9".
    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 } && text.filter { $0 == "." }.count < 2
    }
}
