import EventLoop
import Foundation
import MPV
import Testing

@Suite("libmpv, the real one")
struct MPVPlayerTests {
    @Test("libmpv is not linked: the service is on the bus before it is opened", .timeLimit(.minutes(1)))
    func notLinked() throws {
        let list = Process()
        list.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        // ld.so(8): what `ldd` does.
        list.environment = ["LD_TRACE_LOADED_OBJECTS": "1"]
        let output = Pipe()
        list.standardOutput = output
        try list.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        list.waitUntilExit()
        #expect(text.contains("libc.so"))
        #expect(!text.contains("libmpv"))
    }

    @Test("PB-19 a start offset: the first sample is the wished one, none before it is heard", .timeLimit(.minutes(1)))
    func startsExactly() async throws {
        let samples = try await played(seconds: 10, start: "7.5")
        // 7.5 s are no whole number of anything for mpv: one sample sooner or later.
        #expect(abs(samples.count - StairWave.rate * 5 / 2) <= 1)
        #expect(abs(samples.firstIndex { $0 != StairWave.level(second: 7) }! - StairWave.rate / 2) <= 1)
        #expect(Set(samples) == Set([7, 8, 9].map(StairWave.level(second:))))
    }

    @Test("without an offset every sample is played once, to the last", .timeLimit(.minutes(1)))
    func playsAll() async throws {
        let samples = try await played(seconds: 3, start: "none")
        let wished = (0..<3).flatMap { [Int16](repeating: StairWave.level(second: $0), count: StairWave.rate) }
        #expect(samples.elementsEqual(wished))
    }

    private func played(seconds: Int, start: String) async throws -> [Int16] {
        let file = FileManager.default.temporaryDirectory.appending(path: "ipxcar-mpv-\(UUID()).wav")
        defer { try? FileManager.default.removeItem(at: file) }
        let stream = MemoryStream(StairWave.file(seconds: seconds))
        let options = [("ao", "pcm"), ("ao-pcm-file", file.path), ("hr-seek", "yes")]
        let ended = Flag()
        try await play(options, stream, start, ended)
        try await waited("the player's end") { ended.isSet }
        #expect(stream.isClosed)
        return StairWave.samples([UInt8](try Data(contentsOf: file)))
    }

    /// The player is let go on return, which closes the file.
    @Core
    private func play(_ options: [(String, String)], _ stream: MemoryStream, _ start: String, _ ended: Flag) async throws {
        let stage = try await PlayerStage(options, streams: ["test://1": stream], ended: { ended.set() })
        try stage.player.set("start", start)
        guard case .success = await stage.command("loadfile", "test://1") else { throw Waited(what: "loadfile") }
        try await stage.wait("the end") {
            $0.events.contains { if case .endFile(_, .endOfFile) = $0 { true } else { false } }
        }
    }

    @Core
    @Test("PB-15 an accepted load names its entry, a rejected one its error: nobody waits for ever", .timeLimit(.minutes(1)))
    func answers() async throws {
        let stage = try await PlayerStage(streams: ["test://1": MemoryStream(StairWave.file(seconds: 2))])
        let seek = await stage.command("seek", "5", "absolute")
        #expect(seek.isFailure, "nothing is loaded")
        let entry = try await stage.command("loadfile", "test://1", "replace").get()["playlist_entry_id"]
        #expect(entry == .int(1))
        try await stage.wait("the start") { $0.events.contains(.startFile(entry: 1)) }
        try await stage.wait("playing") { $0.events.contains(.playbackRestart) }
        #expect(throws: MPVError.self) { try stage.player.command(["loadfile"]) }
        #expect(throws: MPVError.self) { try stage.player.command(["loadfile", "test://1", "no-such-mode"]) }
        #expect(throws: MPVError.self) { try stage.player.command(["no-such-command"]) }
    }

    @Core
    @Test("a URL without a stream fails the load, and the error is told with its entry", .timeLimit(.minutes(1)))
    func noStream() async throws {
        let stage = try await PlayerStage()
        _ = try await stage.command("loadfile", "test://nowhere").get()
        try await stage.wait("the failure") { stage in
            stage.events.contains { if case .endFile(1, .failed(let error)) = $0 { error.code < 0 } else { false } }
        }
    }

    @Core
    @Test("properties of every kind come as values; one that is not there says so", .timeLimit(.minutes(1)))
    func properties() async throws {
        let stage = try await PlayerStage(streams: ["test://1": MemoryStream(StairWave.file(seconds: 5))])
        #expect(await stage.get("audio-pts") == .failure(.unavailable))
        _ = try await stage.command("loadfile", "test://1").get()
        try await stage.wait("playing") { $0.events.contains(.playbackRestart) }
        #expect(try await stage.get("duration").get().number == 5)
        #expect(try await stage.get("pause").get() == .flag(false))
        #expect(try await stage.get("path").get() == .string("test://1"))
        #expect(try await stage.get("audio-params").get()["samplerate"]?.number == Double(StairWave.rate))
        guard case .array(let tracks) = try await stage.get("track-list").get() else { throw Waited(what: "a list") }
        #expect(tracks.map { $0["type"] } == [.string("audio")])
        #expect(await stage.get("no-such-property").isFailure)
    }

    @Core
    @Test("an observed property tells its value at once and every change", .timeLimit(.minutes(1)))
    func observes() async throws {
        let stage = try await PlayerStage()
        try stage.player.observe("pause")
        try await stage.wait("the value") { $0.events.contains(.property(name: "pause", .flag(false))) }
        try stage.player.set("pause", true)
        try await stage.wait("the change") { $0.events.contains(.property(name: "pause", .flag(true))) }
    }

    @Core
    @Test(
        "a player let go while a reader waits for bytes: the reader is cancelled, closed, and mpv ends",
        .timeLimit(.minutes(1)))
    func endsWhileReading() async throws {
        let (stream, ended) = (MemoryStream([], blocks: true), Flag())
        var stage: PlayerStage? = try await PlayerStage(streams: ["test://1": stream], ended: { ended.set() })
        _ = try await stage?.command("loadfile", "test://1").get()
        try await waited("a read") { stream.isReading }
        stage = nil
        try await waited("the end") { ended.isSet }
        #expect(stream.isCancelled)
        #expect(stream.isClosed)
    }

    @Core
    @Test("another load gives up the one whose reader waits", .timeLimit(.minutes(1)))
    func replacesWhileReading() async throws {
        let stuck = MemoryStream([], blocks: true)
        let stage = try await PlayerStage(streams: ["test://1": stuck, "test://2": MemoryStream(StairWave.file(seconds: 2))])
        _ = try await stage.command("loadfile", "test://1").get()
        try await waited("a read") { stuck.isReading }
        _ = try await stage.command("loadfile", "test://2").get()
        try await stage.wait("playing") { $0.events.contains(.playbackRestart) }
        #expect(stage.events.contains(.endFile(entry: 1, .stopped)))
    }

    @Test("an option that mpv refuses is named; one that this version lacks may be left out", .timeLimit(.minutes(1)))
    func options() async throws {
        let bad = MPVSetup(options: [("audio-channels", "nonsense")], scheme: "test", open: { _ in nil })
        await #expect { _ = try await PlayerStage.open(bad) } throws: { "\($0)".contains("audio-channels") }
        let unknown = MPVSetup(options: [("no-such-option", "1")], scheme: "test", open: { _ in nil })
        await #expect { _ = try await PlayerStage.open(unknown) } throws: {
            ($0 as? MPVError)?.code == MPVError.optionNotFound
        }
        _ = try await PlayerStage.open(
            MPVSetup(options: [], optionsWhereKnown: [("no-such-option", "1")], scheme: "test", open: { _ in nil }))
    }
}

extension MPVError {
    /// As mpv words it.
    static let unavailable = MPVError(code: propertyUnavailable, description: "property unavailable")
}

extension Result {
    var isFailure: Bool { if case .failure = self { true } else { false } }
}
