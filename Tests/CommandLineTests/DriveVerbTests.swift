import DemoKit
import EventLoop
import RemoteProtocol
import Testing

@Suite("Verbs that drive the service", .timeLimit(.minutes(1)))
struct DriveVerbTests {
    @Test("each verb is one command, with an id of its own, and says nothing")
    func verbs() async throws {
        let service = try await StandInService()
        let shell = try CommandLine(bus: service.bus.address)
        let expected: [(String, RemoteAction)] = [
            ("play", .play), ("pause", .pause), ("toggle", .toggle), ("stop", .stop), ("next", .next),
            ("previous", .previous), ("seek -15", .skip(by: -15)), ("seek +1:30", .skip(by: 90)), ("seek 90", .seek(to: 90)),
            ("seek 1:02:03.5", .seek(to: 3723.5)), ("seek -0:30", .skip(by: -30)), ("rate 1.3", .rate(to: 1.3)),
            ("volume 0", .volume(to: 0)), ("mute", .mute(to: true)), ("mute off", .mute(to: false)),
        ]
        for (words, _) in expected {
            let run = try await shell.run(words.split(separator: " ").map(String.init))
            #expect(run == Run(code: 0, output: "", errors: ""), "\(words)")
        }
        #expect(await service.actions == expected.map(\.1))
        let ids = await service.requests.map { if case .remote(let command) = $0 { command.id } else { "" } }
        #expect(Set(ids).count == expected.count)
    }

    @Test("an episode by its place, its guid, or feed and encoded guid")
    func select() async throws {
        let service = try await StandInService()
        let shell = try CommandLine(bus: service.bus.address)
        let url = EpisodeTarget(feedId: "f2", guid: "https://x.example/a?b")
        let named: [(String, EpisodeTarget)] = [
            ("@2", url), ("https://x.example/a?b", url), ("f2/https%3A%2F%2Fx.example%2Fa%3Fb", url),
            ("now", EpisodeTarget(feedId: "f9", guid: "now")), ("f3/g1", EpisodeTarget(feedId: "f3", guid: "g1")),
            ("f7/not%20listed", EpisodeTarget(feedId: "f7", guid: "not listed")),
        ]
        for (word, _) in named { #expect(try await shell.run(["select", word]).code == 0, "\(word)") }
        #expect(await service.actions == named.map { .select($0.1) })
        let unclear = try await shell.run(["select", "g1"])
        #expect(unclear.code == 1 && unclear.errors.contains("2 episodes"))
        #expect(try await shell.run(["select", "@4"]).code == 1)
        #expect(try await shell.run(["select", "@0"]).code == 2)
        #expect(try await shell.run(["select", "nowhere"]).code == 1)
        #expect(try await shell.run(["select", "f1/%zz"]).code == 1)
    }

    @Test("the queue is shown with names that select takes, and mended")
    func queue() async throws {
        let service = try await StandInService()
        let shell = try CommandLine(bus: service.bus.address)
        let shown = try await shell.run(["queue"])
        #expect(shown.lines.count == 3)
        #expect(shown.lines.first == "@1  Title g1 (Show f1), 1:00 of 30:00, kept  f1/g1")
        #expect(shown.lines[1].hasSuffix("  f2/https%3A%2F%2Fx.example%2Fa%3Fb"))
        let json = try await shell.run(["queue", "--json"]).output
        #expect(try RemoteJSON.value([RemoteQueueEntry].self, from: json) == RemoteState.drive.queue)
        for words in [["queue", "move", "@3", "1"], ["queue", "remove", "@1"], ["queue", "add", "f8/x"]] {
            #expect(try await shell.run(words).code == 0)
        }
        let third = EpisodeTarget(feedId: "f3", guid: "g1")
        let first = EpisodeTarget(feedId: "f1", guid: "g1")
        let new = EpisodeTarget(feedId: "f8", guid: "x")
        #expect(await service.actions == [.queue(third, .move(to: 1)), .queue(first, .remove), .queue(new, .add)])
        #expect(try await shell.run(["queue", "burn", "@1"]).code == 2)
        #expect(try await shell.run(["queue", "move", "@1", "0"]).code == 2)
    }

    @Test(
        "what the service refuses is one line and exit 5; a missing sign-in is exit 4",
        arguments: [
            (RemoteReply.Refusal.stale, Int32(5)), (.unsupported, 5), (.busy, 5), (.invalid, 5), (.unauthorized, 4),
        ])
    func refused(_ refusal: RemoteReply.Refusal, _ code: Int32) async throws {
        let service = try await StandInService()
        let shell = try CommandLine(bus: service.bus.address)
        await service.refuse(refusal)
        let run = try await shell.run(["volume", "30"])
        #expect(run.code == code && run.output.isEmpty)
        #expect(run.errors.hasPrefix("ipx-car: ") && run.errors.filter { $0 == "\n" }.count == 1, "\(run.errors)")
        await service.refuse(refusal, because: "the car says no")
        #expect(try await shell.run(["play"]).errors == "ipx-car: refused: the car says no\n")
    }

    @Test("nobody there: exit 3, without a bus and on a bus where nobody has the name")
    func notRunning() async throws {
        let other = try await StandInService(owning: "net.sdf1.other")
        for shell in [try CommandLine(bus: nil), try CommandLine(bus: other.bus.address)] {
            for words in [["play"], ["status"], ["queue"], ["select", "@1"], ["status", "--follow"]] {
                let run = try await shell.run(words)
                #expect(run.code == 3 && run.output.isEmpty, "\(words) \(run)")
                #expect(run.errors.hasPrefix("ipx-car: the service is not running"), "\(run.errors)")
            }
        }
    }
}
