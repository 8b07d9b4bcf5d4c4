import DemoKit
import EventLoop
import Library
import Playback
import Testing

/// What the player relies on, of the stand-in and of the real engine alike.
@Suite("the engine's contract")
@Core
struct EngineContract {
    @Test(
        "a load opens, reaches its start and plays on from there", .timeLimit(.minutes(1)),
        arguments: EngineStage.Kind.allCases)
    func plays(_ kind: EngineStage.Kind) async throws {
        let stage = EngineStage(kind)
        let load = try stage.load(.tone(1), from: 20)
        #expect(abs(try await stage.reached(load) - 20) < 0.1)
        guard case .opened(let duration?) = stage.events(load).first else {
            throw Missed(what: "opened", told: stage.told, log: [])
        }
        #expect(abs(duration - Sound.length) < 0.5)
        try await stage.played(load, past: 20.3)
        let early = try await stage.position(load)
        try await stage.played(load, past: 20.8)
        let now = try await stage.position(load)
        #expect(abs(now.place - early.place - now.at.seconds(since: early.at)) < 0.1)
    }

    @Test(
        "loaded paused, it reaches its start and stands there until it may play", .timeLimit(.minutes(1)),
        arguments: EngineStage.Kind.allCases)
    func loadsPaused(_ kind: EngineStage.Kind) async throws {
        let stage = EngineStage(kind)
        let load = try stage.load(.tone(1), from: 20, paused: true)
        let start = try await stage.reached(load)
        try await Task.sleep(for: .milliseconds(200))
        #expect(try await stage.position(load).place == start)
        stage.engine.setPaused(false)
        try await stage.played(load, past: start + 0.2)
    }

    @Test("paused, the place stands", .timeLimit(.minutes(1)), arguments: EngineStage.Kind.allCases)
    func pauses(_ kind: EngineStage.Kind) async throws {
        let stage = EngineStage(kind)
        let load = try stage.load(.tone(1))
        try await stage.played(load, past: 0.2)
        stage.engine.setPaused(true)
        let place = try await stage.position(load).place
        try await Task.sleep(for: .milliseconds(200))
        #expect(abs(try await stage.position(load).place - place) < 0.02)
    }

    @Test("a seek is reached and told once", .timeLimit(.minutes(1)), arguments: EngineStage.Kind.allCases)
    func seeks(_ kind: EngineStage.Kind) async throws {
        let stage = EngineStage(kind)
        let load = try stage.load(.tone(1))
        _ = try await stage.reached(load)
        stage.engine.seek(to: 40)
        #expect(abs(try await stage.reached(load, 2) - 40) < 0.1)
        try await stage.played(load, past: 40.3)
        #expect(stage.places(load).count == 2)
    }

    @Test(
        "PB-25 loaded twice while it loads: the second one's start counts, the first is never heard of",
        .timeLimit(.minutes(1)), arguments: EngineStage.Kind.allCases)
    func loadsTwice(_ kind: EngineStage.Kind) async throws {
        let stage = EngineStage(kind)
        let first = try stage.load(.tone(1), from: 10)
        let second = try stage.load(.tone(1), from: 30)
        #expect(abs(try await stage.reached(second) - 30) < 0.1)
        try await stage.played(second, past: 30.2)
        #expect(stage.events(first) == [])
        #expect(stage.places(second).count == 1)
    }

    @Test(
        "PB-02 another episode over a playing one: no end and nothing else is told of the former", .timeLimit(.minutes(1)),
        arguments: EngineStage.Kind.allCases)
    func replaces(_ kind: EngineStage.Kind) async throws {
        let stage = EngineStage(kind)
        let first = try stage.load(.tone(1), from: 10)
        try await stage.played(first, past: 10.2)
        let told = stage.events(first).count
        let second = try stage.load(.tone(2), from: 5)
        try await stage.played(second, past: 5.2)
        #expect(stage.events(first).count == told)
    }

    @Test("unloaded, nothing is reported any more", .timeLimit(.minutes(1)), arguments: EngineStage.Kind.allCases)
    func unloads(_ kind: EngineStage.Kind) async throws {
        let stage = EngineStage(kind)
        let load = try stage.load(.tone(1))
        _ = try await stage.reached(load)
        stage.engine.unload()
        let told = stage.events(load).count
        stage.engine.askPosition()
        stage.engine.seek(to: 5)
        stage.engine.setPaused(false)
        // A later load's events come after whatever the former would have told.
        _ = try await stage.reached(try stage.load(.tone(2)))
        #expect(stage.events(load).count == told)
    }

    @Test("the speed is the speed of the place", .timeLimit(.minutes(1)), arguments: EngineStage.Kind.allCases)
    func rates(_ kind: EngineStage.Kind) async throws {
        let stage = EngineStage(kind)
        let load = try stage.load(.tone(1), rate: 2)
        try await stage.played(load, past: 1)
        let early = try await stage.position(load)
        try await stage.played(load, past: early.place + 2)
        let late = try await stage.position(load)
        #expect(abs((late.place - early.place) / late.at.seconds(since: early.at) - 2) < 0.2)
    }

    @Test(
        "PB-21 no sink: a failure of the output, told after the call, and nothing of the media", .timeLimit(.minutes(1)),
        arguments: EngineStage.Kind.allCases)
    func noSink(_ kind: EngineStage.Kind) async throws {
        let stage =
            kind == .fake ? EngineStage(.fake) : EngineStage(output: .pulse(server: "unix:/nonexistent", buffer: 500))
        stage.engine.setOutput(sink: nil)
        let load = try stage.load(.tone(1), from: 20)
        #expect(stage.events(load) == [])
        try await stage.wait("failed") { $0.failures(load) == [.device] }
        #expect(stage.events(load) == [.failed(.device)])
    }
}
