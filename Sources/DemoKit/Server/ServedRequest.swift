/// A request as it came over the wire.
public struct ServedRequest: Sendable {
    public var method: String
    /// As sent, with query, still percent-encoded.
    public var target: String
    /// Names in lower case; of a repeated one the last.
    public var headers: [String: String]
    public var body: [UInt8] = []

    /// The target without its query, still percent-encoded.
    public var path: String { target.split(separator: "?", maxSplits: 1).first.map(String.init) ?? "" }

    /// Decoded query parameters.
    public var query: [String: String] {
        let parts = target.split(separator: "?", maxSplits: 1)
        return parts.count == 2 ? Self.form(String(parts[1])) : [:]
    }

    public var json: JSONValue? { JSONValue(bytes: body) }

    /// Head without the empty line; nil when it isn't HTTP.
    init?(head: String) {
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
        method = String(words[0])
        target = String(words[1])
        headers = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmed
        }
    }

    /// `application/x-www-form-urlencoded` (WHATWG URL, section 5).
    static func form(_ text: String) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            fields[decoded(sides[0], plusIsSpace: true)] = sides.count == 2 ? decoded(sides[1], plusIsSpace: true) : ""
        }
        return fields
    }

    /// Undoes percent-encoding (RFC 3986, section 2.1); a broken escape stays as it is.
    static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        var bytes: [UInt8] = []
        let source = Array(text.utf8)
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 <= source.count - 1,
                let value = UInt8(String(decoding: source[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                index += 3
            } else {
                bytes.append(plusIsSpace && source[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension StringProtocol {
    /// Without blanks at both ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else {
            return ""
        }
        return String(self[first...last])
    }
}
