import HeadUnit
import Linux

enum RunVerb {
    static let options = [
        Option(name: "--server", value: "URL", help: "the ipx server"), Option.state,
        Option(name: "--cache", value: "DIR", help: "the cache folder"),
        Option(name: "--listen", value: "ADDR:PORT", help: "where phones connect"),
        Option(name: "--log-level", value: "error|info|debug", help: "how much is logged"),
    ]

    @Sendable
    static func run(_ arguments: Arguments) async throws(Failed) {
        await Daemon.run(try runOptions(arguments))
    }

    static func runOptions(_ arguments: Arguments) throws(Failed) -> RunOptions {
        var options = RunOptions()
        options.config = arguments["--config"]
        options.state = arguments["--state"]
        options.cache = arguments["--cache"]
        options.server = try arguments["--server"].map { word throws(Failed) in try ServerVerb.address(word) }
        options.listen = try arguments["--listen"].map { word throws(Failed) in
            guard let address = ListenAddress(word) else { throw .usage("--listen \(word) is no ADDR:PORT") }
            return address
        }
        options.logLevel = try arguments["--log-level"].map { word throws(Failed) in
            guard let level = Log.Level(word) else { throw .usage("--log-level error, info or debug, not \(word)") }
            return level
        }
        return options
    }
}
