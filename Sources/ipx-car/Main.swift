import Glibc

@main
struct Main {
    static func main() async {
        // A reader that went away (`status --follow | head`) ends us with a failed write, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        exit(await ending(of: Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Runs the verb; at most one line on standard error.
    static func ending(of words: [String]) async -> ExitCode {
        do throws(Failed) {
            let (verb, arguments) = try Verb.chosen(by: words)
            try await verb.run(arguments)
            return .done
        } catch {
            if !error.line.isEmpty { Output.complain(error.line) }
            return error.code
        }
    }
}
