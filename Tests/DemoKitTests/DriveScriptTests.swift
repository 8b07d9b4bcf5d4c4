import Testing

@testable import DemoKit

@Suite("A drive as a list", .timeLimit(.minutes(1)))
struct DriveScriptTests {
    @Test("every word of a script is a step")
    func words() throws {
        let script = try DriveScript(
            "play;10s; next ;0.5s;car-off;2s;car-on;net-off;net-on;kill;volume=30;forward;back;prev;stop;")
        #expect(
            script.steps == [
                .press(.play), .wait(10), .press(.next), .wait(0.5), .carLeaves, .wait(2), .carReturns, .networkGoes,
                .networkReturns, .kill, .knob(30), .skip(10), .skip(-10), .press(.previous), .press(.stop),
            ])
    }

    @Test("what is no step is refused by name", arguments: ["fly", "10", "s", "-3s", "volume=", "volume=101", "nans"])
    func wrong(word: String) {
        do throws(DemoError) {
            let script = try DriveScript("play;\(word)")
            Issue.record("taken as \(script.steps)")
        } catch {
            #expect(error.description.contains("'\(word)'"))
        }
    }

    @Test("what the server knew is there again in the next run")
    func served() {
        let episodes = ["a", "b"].map { DemoEpisode(guid: $0, title: $0) }
        var library = DemoLibrary(shows: [DemoShow(id: "f", title: "F", episodes: episodes)])
        library.shows[0].episodes[1].position = 12.25
        library.shows[0].episodes[1].isRead = true
        library.shows[0].episodes[1].version = 7
        library.shows[0].episodes[1].updated = 1_760_000_000.5
        let text = ServedPositions.text(of: library)
        var fresh = DemoLibrary(shows: [DemoShow(id: "f", title: "F", episodes: episodes)])
        ServedPositions.apply("nonsense\nf/zzz 1 true 2 3\n" + text, to: &fresh)
        #expect(fresh.shows[0].episodes[0].updated == nil)
        let again = fresh.shows[0].episodes[1]
        #expect(again.position == 12.25)
        #expect(again.isRead)
        #expect(again.version == 7)
        #expect(again.updated == 1_760_000_000.5)
    }

    @Test("a state is read by its documented names, and half of one is none")
    func state() throws {
        let state = try #require(
            ServiceState(
                json: """
                    {"phase":"paused","reason":"car-lost","episode":{"title":"T","feedTitle":"S","chapters":[{"start":0,"title":"one"},
                    {"start":60,"title":"two"}]},"network":"offline","message":null,"volume":40,"muted":true,
                    "car":{"connected":true,"name":"C","sink":false},"queue":[{},{}]}
                    """))
        #expect(state.phase == "paused")
        #expect(state.reason == "car-lost")
        #expect(state.network == "offline")
        #expect(state.message == nil)
        #expect(state.volume == 40)
        #expect(state.isMuted)
        #expect(!state.hasSink)
        #expect(state.queued == 2)
        #expect(state.chapter(at: 59) == "one")
        #expect(state.chapter(at: 60) == "two")
        #expect(ServiceState(json: "{\"phase\":") == nil)
        #expect(ServiceState(json: "[]") == nil)
    }
}
