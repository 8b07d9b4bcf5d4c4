import DemoKit
import Linux
import RemoteProtocol
import Testing

@Suite("Usage", .timeLimit(.minutes(1)))
struct UsageTests {
    @Test(
        "what can't be meant is exit 2, with one line",
        arguments: [
            "", "fly", "seek", "seek x", "seek 1:60", "seek 1:2:3:4", "seek 1e3", "seek -", "seek 5 6", "rate", "rate 0.4",
            "rate 3.1", "rate nan", "volume 101", "volume -1", "volume loud", "mute maybe", "play now", "status --loud",
            "status --json=1", "select", "token", "token show", "config --config", "run --listen 8643",
            "run --server ftp://x",
            "run --log-level loud", "help a b", "--wide", "play --state x",
        ])
    func usage(_ words: String) async throws {
        let run = try await CommandLine(bus: nil).run(words.split(separator: " ").map(String.init))
        #expect(run.code == 2 && run.output.isEmpty, "\(run)")
        #expect(run.errors.hasPrefix("ipx-car: ") && run.errors.filter { $0 == "\n" }.count == 1, "\(run.errors)")
    }

    @Test(
        "verbs of a later version say so", arguments: ["login", "car", "pair", "keep", "positions", "doctor", "remote"])
    func later(_ verb: String) async throws {
        let shell = try CommandLine(bus: nil)
        for words in [[verb], [verb, "list"], ["help", verb]] {
            let run = try await shell.run(words)
            #expect(run == Run(code: 1, output: "", errors: "ipx-car: \(verb): not in this version yet\n"))
        }
        #expect(try await !shell.run(["help"]).lines.contains { $0.hasPrefix("  \(verb)") })
    }

    @Test("help lists every verb that works and tells each one's options")
    func help() async throws {
        let shell = try CommandLine(bus: nil)
        let overview = try await shell.run(["help"])
        let verbs = overview.lines.filter { $0.hasPrefix("  ") }.compactMap { $0.split(separator: " ").first }.map(
            String.init)
        #expect(
            verbs == [
                "run", "status", "play", "pause", "toggle", "stop", "next", "previous", "seek", "rate", "volume", "mute",
                "select", "queue", "server", "token", "config", "version", "help",
            ])
        for verb in verbs {
            let help = try await shell.run(["help", verb])
            #expect(help.code == 0 && help.output.hasPrefix("ipx-car \(verb)") && help.output.contains("--config FILE"))
            #expect(try await shell.run([verb, "--help"]) == help)
        }
        #expect(try await shell.run(["--help"]) == overview)
        let version = try await shell.run(["version"])
        #expect(version.output.hasPrefix("ipx-car ") && version.code == 0)
        #expect(try await shell.run(["--version"]) == version)
    }
}

@Suite("config", .timeLimit(.minutes(1)))
struct ConfigVerbTests {
    @Test("--check is silent about a right file and names each flaw of a wrong one, with exit 1")
    func check() async throws {
        let shell = try CommandLine(bus: nil)
        let file = shell.folder.path + "/etc/ipx-car.conf"
        #expect(try await shell.run(["config", "--check"]) == Run(code: 0, output: "", errors: ""))
        try SmallFile.write(Array("[player]\nrate=9\n[plyer]\n".utf8), to: file)
        let run = try await shell.run(["config", "--check"])
        #expect(run.code == 1 && run.output.isEmpty)
        #expect(
            run.errors == """
                ipx-car: \(file):2: [player] rate: '9' is not a number from 0.5 to 3; 1.0 is used
                ipx-car: \(file):3: [plyer]: no such section

                """)
        let shown = try await shell.run(["config"])
        #expect(shown.code == 0 && shown.errors == run.errors && shown.output.contains("rate=1.0"))
    }

    @Test("each value with where it came from, also as JSON; --config reads another file, a missing one is exit 1")
    func sources() async throws {
        let shell = try CommandLine(bus: nil)
        let file = shell.folder.path + "/mine.conf"
        try SmallFile.write(Array("[player]\nrate=1.5\n".utf8), to: file)
        let run = try await shell.run(["config", "--config", file])
        #expect(run.lines.contains { $0.hasPrefix("rate=1.5 ") && $0.hasSuffix("; \(file):2") })
        #expect(run.lines.contains { $0.hasPrefix("skip-back=15 ") && $0.hasSuffix("; default") })
        let json = try await shell.run(["config", "--json", "--config=\(file)"]).output
        #expect(json.contains(#"{"key":"rate","section":"player","source":"\#(file):2","value":"1.5"}"#))
        let missing = try await shell.run(["config", "--config", file + "x"])
        #expect(missing.code == 1 && missing.errors.contains("No such file"))
    }

    @Test("run with a configuration that was asked for and is not there: exit 1 at once")
    func run() async throws {
        let run = try await CommandLine(bus: nil).run(["run", "--config", "/nonexistent/ipx-car.conf"])
        #expect(run.code == 1 && run.errors.contains("/nonexistent/ipx-car.conf"))
    }
}
