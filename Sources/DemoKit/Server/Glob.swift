/// A path pattern: `*` stands for any run of characters (also `/`), everything else for itself.
struct Glob: Hashable, Sendable {
    private let parts: [String]

    init(_ pattern: String) {
        parts = pattern.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    }

    func matches(_ path: String) -> Bool {
        guard parts.count > 1 else { return path == parts[0] }
        guard path.hasPrefix(parts[0]) else { return false }
        var rest = path.dropFirst(parts[0].count)
        for part in parts[1..<(parts.count - 1)] where !part.isEmpty {
            guard let place = Self.firstPlace(of: part, in: rest) else { return false }
            rest = rest[rest.index(place, offsetBy: part.count)...]
        }
        return rest.hasSuffix(parts[parts.count - 1])
    }

    private static func firstPlace(of part: String, in text: Substring) -> Substring.Index? {
        text.indices.first { text[$0...].hasPrefix(part) }
    }
}
