import HeadUnit
import RemoteProtocol

enum HelpVerb {
    @Sendable
    static func run(_ arguments: Arguments) throws(Failed) {
        guard let name = arguments.words.first else { return try Output.write(overview) }
        let verb = try Verb.named(name)
        try Output.write("\(verb.synopsis)\n    \(verb.help)\n\(verb.options.map(line).joined())")
    }

    private static func line(_ option: Option) -> String {
        column(option.name + (option.value.map { " \($0)" } ?? "")) + option.help + "\n"
    }

    private static var overview: String {
        "usage: ipx-car VERB [options]\n"
            + Verb.all.map { column("\($0.name) \($0.words)") + $0.help + "\n" }.joined()
            + "ipx-car help VERB tells a verb's options. Manual: ipx-car(1), ipx-car.conf(5)\n"
    }

    private static func column(_ text: String) -> String {
        "  " + text + String(repeating: " ", count: max(2, 30 - text.count))
    }
}

enum VersionVerb {
    private struct Answer: Encodable { var version: String }

    @Sendable
    static func run(_ arguments: Arguments) throws(Failed) {
        let isJSON = arguments.has("--json")
        if isJSON { return try Output.json(RemoteJSON.text(Answer(version: Version.number))) }
        try Output.line("ipx-car \(Version.number)")
    }
}
