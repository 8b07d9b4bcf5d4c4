/// One word of the command line: `ipx-car VERB …`.
struct Verb: Sendable {
    let name: String
    /// What stands after the verb, e.g. `[+-]SECONDS|H:MM:SS`.
    let words: String
    let help: String
    /// How many words may stand after it.
    let count: ClosedRange<Int>
    let options: [Option]
    let run: @Sendable (Arguments) async throws(Failed) -> Void

    init(
        _ name: String, _ words: String = "", _ help: String, count: ClosedRange<Int> = 0...0, options: [Option] = [],
        run: @escaping @Sendable (Arguments) async throws(Failed) -> Void
    ) {
        self.name = name
        self.words = words
        self.help = help
        self.count = count
        self.options = options + [.config]
        self.run = run
    }

    /// Verbs of the manual that are still to come.
    static let later = ["login", "car", "pair", "keep", "positions", "doctor", "remote"]

    static func named(_ name: String) throws(Failed) -> Verb {
        if let verb = all.first(where: { $0.name == name }) { return verb }
        if later.contains(name) { throw Failed("\(name): not in this version yet") }
        throw .usage("there is no verb \(name); see ipx-car help")
    }

    /// The verb and its checked arguments. `-h` and `--help` anywhere ask for the verb's help instead.
    static func chosen(by words: [String]) throws(Failed) -> (Verb, Arguments) {
        guard let first = words.first else { throw .usage("what to do? See ipx-car help") }
        let isHelp = words.prefix { $0 != "--" }.contains { $0 == "-h" || $0 == "--help" }
        let name = isHelp ? "help" : first == "--version" ? "version" : first
        let given = isHelp ? Array([first].filter { !$0.hasPrefix("-") }) : Array(words.dropFirst())
        let verb = try named(name)
        let arguments = try Arguments(given, taking: verb.options)
        guard verb.count.contains(arguments.words.count) else { throw .usage("usage: \(verb.synopsis)") }
        return (verb, arguments)
    }

    var synopsis: String {
        let shown = options.dropLast().map { "[\($0.name)\($0.value.map { " \($0)" } ?? "")]" }
        return (["ipx-car", name, words] + shown).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
