import HeadUnit
import RemoteProtocol

enum ConfigVerb {
    @Sendable
    static func run(_ arguments: Arguments) throws(Failed) {
        let loaded = try load(arguments)
        if !arguments.has("--check") { try show(loaded, arguments.has("--json")) }
        for complaint in loaded.complaints { Output.complain(complaint.description) }
        guard arguments.has("--check"), !loaded.complaints.isEmpty else { return }
        throw Failed("")
    }

    static func load(_ arguments: Arguments) throws(Failed) -> LoadedConfiguration {
        var options = RunOptions()
        options.config = arguments["--config"]
        options.state = arguments["--state"]
        do throws(ConfigurationError) {
            return try LoadedConfiguration.load(options)
        } catch {
            throw Failed(error.description)
        }
    }

    private struct Line: Encodable { var section, key, value, source: String }

    private static func show(_ loaded: LoadedConfiguration, _ isJSON: Bool) throws(Failed) {
        guard isJSON else { return try Output.write(loaded.text) }
        let lines = loaded.lines.map {
            Line(section: $0.section, key: $0.key, value: $0.value, source: $0.source.description)
        }
        try Output.json(RemoteJSON.text(lines))
    }
}
