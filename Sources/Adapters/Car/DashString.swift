/// Text a car's display can take: valid UTF-8 without control characters, one line, not longer than it fits (car.md).
public enum DashString {
    /// Bytes at most. AVRCP allows more, cars do not (AV-12).
    public static let limit = 250

    /// For displays that choke: `ascii` has only printable ASCII, and no `%`.
    public enum Alphabet: String, Hashable, Sendable { case utf8, ascii }

    /// `text` made fit; nil when nothing is left to read. `limit` nil: as long as it is.
    public static func fit(_ text: String, alphabet: Alphabet = .utf8, limit: Int? = limit) -> String? {
        var line = oneLine(text)
        if alphabet == .ascii { line = oneLine(line.unicodeScalars.map(ascii).joined()) }
        if let limit { line = cut(line, limit) }
        return line.contains(where: isReadable) ? line : nil
    }

    /// Control characters, line breaks and runs of white space become one space; invisible marks that turn the direction of
    /// what follows are dropped.
    private static func oneLine(_ text: String) -> String {
        var result = ""
        var needsSpace = false
        for scalar in text.unicodeScalars where !turnsDirection(scalar) {
            if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
                needsSpace = !result.isEmpty
            } else {
                if needsSpace { result += " " }
                needsSpace = false
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Unicode's bidirectional formatting characters, the byte order mark, and noncharacters, which some readers refuse.
    private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFDD0...0xFDEF: true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }

    /// At most `limit` bytes, cut between characters as a person sees them.
    private static func cut(_ text: String, _ limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var result = ""
        for character in text {
            guard result.utf8.count + character.utf8.count <= limit else { break }
            result.append(character)
        }
        // One "character" of hundreds of combining marks: between its code points then.
        if result.isEmpty {
            for scalar in text.unicodeScalars where result.utf8.count + scalar.utf8.count <= limit {
                result.unicodeScalars.append(scalar)
            }
        }
        while result.last == " " { result.removeLast() }
        return result
    }

    private static func isReadable(_ character: Character) -> Bool {
        character.unicodeScalars.contains {
            !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint && $0 != "?"
        }
    }

    /// The nearest printable ASCII; `?` when there is none.
    private static func ascii(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "%": " percent"
        case " "..."~": String(scalar)
        case "\u{2010}"..."\u{2015}", "\u{2212}": "-"
        case "\u{2018}"..."\u{201B}", "\u{2032}": "'"
        case "\u{201C}"..."\u{201F}", "\u{2033}", "«", "»": "\""
        case "…": "..."
        case "·", "•": "-"
        case "ß": "ss"
        case "Æ": "AE"
        case "æ": "ae"
        case "Œ": "OE"
        case "œ": "oe"
        case _ where scalar.properties.generalCategory == .nonspacingMark: ""
        default: baseLetter(scalar) ?? "?"
        }
    }

    /// The letter under an accent, from the character's own name: "LATIN SMALL LETTER E WITH ACUTE".
    private static func baseLetter(_ scalar: Unicode.Scalar) -> String? {
        guard let words = scalar.properties.name?.split(separator: " "), words.count >= 4 else { return nil }
        guard words[0] == "LATIN", words[2] == "LETTER", words[3].count == 1 else { return nil }
        return words[1] == "SMALL" ? words[3].lowercased() : String(words[3])
    }
}
