import DemoKit
import Glibc

/// `ipx-car-bench PROGRAM REPORT`: the measures of docs/testing.md side by side with peers from Debian. Figures are printed and
/// written, never judged here: absolute times are the machine's, ratios are ours.
@main
struct Main {
    static let runs = 7

    static func main() async throws {
        guard CommandLine.arguments.count == 3 else {
            print("usage: ipx-car-bench PROGRAM REPORT")
            exit(2)
        }
        let text = try await measured(CommandLine.arguments[1])
        print(text)
        writeText(text, to: CommandLine.arguments[2])
    }
}

/// The report's text. A function of its own: `main` is the main actor's for Swift 6.0, and a stage stays where it was made.
private func measured(_ program: String) async throws -> String {
    let stage = try await Stage()
    let service = stage.service(program)
    var report = Report()
    try await stage.firstDrive(service)
    try await stage.start(service, &report)
    try stage.sound(service, &report)
    try stage.memory(service, &report)
    return report.text(heading: stage.heading)
}

extension Stage {
    var heading: [String] {
        let machine = (try? ChildProcess.run(["uname", "-srm"])) ?? ""
        let mpv = (try? ChildProcess.run(["mpv", "--version"]))?.split(separator: "\n").first ?? ""
        return [
            "# Bench", "", "Machine: \(machine.filter { !$0.isNewline }); \(mpv). Ratios count, times are this machine's.",
        ]
    }

    /// The episode is fetched whole and was playing when the service went, so every later start goes on with it by itself.
    func firstDrive(_ service: Subject) async throws {
        let process = try service.start()
        let program = service.arguments[0]
        let deadline = MonotonicClock.now + 60
        while MonotonicClock.now < deadline {
            _ = try? ChildProcess.run([program, "play"], environment: environment)
            guard let text = try? ChildProcess.run([program, "status", "--json"], environment: environment),
                let state = JSONValue(bytes: Array(text.utf8))
            else { continue }
            if state["phase"]?.string == "playing", isFetched { break }
            try await Task.sleep(for: .milliseconds(200))
        }
        process.terminate()
    }

    private var isFetched: Bool {
        let names = (try? ChildProcess.run(["ls", folder.path + "/cache/media"])) ?? ""
        return !names.isEmpty && !names.contains(".part")
    }

    func start(_ service: Subject, _ report: inout Report) async throws {
        report.section("B1 exec to the object on the bus")
        var reference: Double?
        for subject in [mpv(["--idle"], script: true), service] {
            var readings: [Double] = []
            for _ in 0..<Main.runs { readings += [try await timeToBus(subject)].compactMap { $0 } }
            report.row(subject.name, readings, unit: "ms", against: reference)
            reference = reference ?? median(readings)
        }
    }

    func sound(_ service: Subject, _ report: inout Report) throws {
        report.section("B2 exec to the first sound, kept file")
        try compare([mpv([episode.path]), service], &report, unit: "ms") { try self.timeToSound($0) }
        report.section("B2 exec to the first sound, over HTTP")
        try compare([mpv([server.origin + "/media/f1/e1.mp3"]), service], &report, unit: "ms") {
            self.clearCache()
            return try self.timeToSound($0)
        }
    }

    func memory(_ service: Subject, _ report: inout Report) throws {
        report.section("B3 memory while streaming for 10 s")
        try compare([mpv([server.origin + "/media/f1/e1.mp3"]), service], &report, unit: "MiB", runs: 2) {
            self.clearCache()
            return try self.memory($0, heardFor: 10)
        }
        report.section("B3 memory while playing a kept file for 10 s")
        try compare([mpv([episode.path]), service], &report, unit: "MiB", runs: 2) { try self.memory($0, heardFor: 10) }
    }

    private func compare(
        _ subjects: [Subject], _ report: inout Report, unit: String, runs: Int = Main.runs,
        _ measure: (Subject) throws -> Double?
    ) throws {
        var reference: Double?
        for subject in subjects {
            var readings: [Double] = []
            for _ in 0..<runs { readings += [try measure(subject)].compactMap { $0 } }
            report.row(subject.name, readings, unit: unit, against: reference)
            reference = reference ?? median(readings)
        }
    }
}
