/// Builds the head of an answer from the header lines libcurl hands over; interim answers (1xx) are forgotten again.
struct HeadParser {
    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    private(set) var isComplete = false

    mutating func take(_ line: String) {
        if line.hasPrefix("HTTP/") { return begin(line) }
        if line.isEmpty {
            isComplete = status >= 200
            return
        }
        // Trailers of a chunked body come last and add nothing we use.
        guard !isComplete, let colon = line.firstIndex(of: ":") else { return }
        headers.add(Self.trimmed(line[..<colon]), Self.trimmed(line[line.index(after: colon)...]))
    }

    private mutating func begin(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 2)
        self = HeadParser()
        status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
