/// An option a verb takes.
struct Option: Sendable {
    let name: String
    /// What the manual calls its value; nil: it has none.
    let value: String?
    let help: String

    static let config = Option(name: "--config", value: "FILE", help: "read only this configuration file")
    static let json = Option(name: "--json", value: nil, help: "print JSON")
}

/// What stands after the verb. `-15` and `-0:30` are words, not options; after `--` everything is a word.
struct Arguments: Sendable {
    private(set) var words: [String] = []
    private var values: [String: String] = [:]

    init(_ given: [String], taking options: [Option]) throws(Failed) {
        var rest = given[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words += rest
                return
            }
            if Self.isOption(word) { try take(word, &rest, options) } else { words.append(word) }
        }
    }

    func has(_ option: String) -> Bool { values[option] != nil }

    subscript(option: String) -> String? { values[option] }

    private static func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
        return !second.isNumber && second != "."
    }

    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>, _ options: [Option]) throws(Failed) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = options.first(where: { $0.name == parts[0] }) else {
            throw .usage("there is no option \(parts[0]) here")
        }
        guard option.value != nil else {
            guard parts.count == 1 else { throw .usage("\(option.name) takes no value") }
            return values[option.name] = ""
        }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
            throw .usage("\(option.name) needs a value")
        }
        values[option.name] = value
    }
}
