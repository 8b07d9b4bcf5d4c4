import DemoKit
import EventLoop
import Library
import Playback
import PortFakes
import Testing

@testable import Engine

/// What comes of the bytes: waits, cuts, faults and ends, with the real libmpv.
@Suite("the engine and its bytes")
@Core
struct BytesTests {
    @Test("every byte read and decoded: the end, once, and nothing after it", .timeLimit(.minutes(1)))
    func ends() async throws {
        let stage = EngineStage(.real)
        let load = try stage.load(.tone(1), from: Sound.length - 1.5)
        try await stage.wait("the end") { $0.events(load).contains(.ended) }
        #expect(stage.events(load).last == .ended)
        #expect(stage.failures(load) == [])
        #expect(stage.media.loads.count == 1)
    }

    @Test("PB-01 the network is cut for good: played out, then a failure and never an end", .timeLimit(.minutes(1)))
    func cut() async throws {
        let stage = EngineStage(.real)
        stage.media.prepare = { reader, _ in
            reader.hold(from: 40_000)
            reader.failAtGap(.offline)
        }
        let load = try stage.load(.tone(1), from: 3)
        try await stage.wait("the failure") { $0.failures(load) == [.offline] }
        #expect(!stage.events(load).contains(.ended))
        // 40 000 bytes are 5 s at 64 kbit/s: what was there has been heard.
        let first = stage.told.first { $0.event == .reached(stage.places(load)[0]) }!
        #expect(stage.told.last!.at - first.at > 1.5)
    }

    @Test("PB-01 an index at the end makes no end of a cut in the middle", .timeLimit(.minutes(1)))
    func cutWithLateIndex() async throws {
        let stage = EngineStage(.real)
        let load = try stage.load(.lateIndex, from: 1)
        _ = try await stage.reached(load)
        #expect(stage.reader.hasReadToEnd)
        stage.reader.hold(from: 100_000)
        stage.reader.failAtGap(.offline)
        stage.engine.seek(to: 40)
        try await stage.wait("the failure") { $0.failures(load) == [.offline] }
        #expect(!stage.events(load).contains(.ended))
    }

    @Test("PB-12 bytes do not come: stalled, the place stands; they come: it goes on there", .timeLimit(.minutes(1)))
    func stalls() async throws {
        let stage = EngineStage(.real)
        stage.media.prepare = { reader, _ in reader.hold(from: 20_000) }
        let load = try stage.load(.tone(1))
        _ = try await stage.reached(load)
        let start = MonotonicClock.now
        try await stage.wait("stalled") { $0.stalls(load).count == 1 }
        let place = stage.stalls(load)[0]
        #expect(abs(MonotonicClock.now - start - place) < 0.6, "told when the sound stops")
        let standing = try await stage.position(load).place
        #expect(abs(standing - place) < 0.05)
        stage.reader.release()
        try await stage.wait("flowing") { $0.flows(load).count == 1 }
        #expect(abs(stage.flows(load)[0] - place) < 0.1)
        try await stage.played(load, past: place + 0.3)
        #expect(stage.events(load).filter { if case .reached = $0 { true } else { false } }.count == 1)
    }

    @Test("a seek to bytes that are not there waits as a stall, and is reached when they come", .timeLimit(.minutes(1)))
    func seeksIntoGap() async throws {
        let stage = EngineStage(.real)
        stage.media.prepare = { reader, _ in reader.hold(from: 200_000) }
        let load = try stage.load(.tone(1))
        _ = try await stage.reached(load)
        stage.engine.seek(to: 50)
        try await stage.wait("stalled") { $0.stalls(load) == [50] }
        #expect(try await stage.position(load).place == 50)
        stage.reader.release()
        #expect(abs(try await stage.reached(load, 2) - 50) < 0.1)
        try await stage.wait("flowing") { $0.flows(load).count == 1 }
        guard case .flowing = stage.events(load).last else { throw Missed(what: "flowing last", told: stage.told, log: []) }
    }

    @Test("while it waits for bytes, a seek back to ones that are there plays them at once", .timeLimit(.minutes(1)))
    func seeksOutOfGap() async throws {
        let stage = EngineStage(.real)
        stage.media.prepare = { reader, _ in reader.hold(from: 200_000) }
        let load = try stage.load(.tone(1))
        _ = try await stage.reached(load)
        stage.engine.seek(to: 50)
        try await stage.wait("stalled") { $0.stalls(load).count == 1 }
        stage.engine.seek(to: 10)
        #expect(abs(try await stage.reached(load, 2) - 10) < 0.1)
        try await stage.wait("flowing") { $0.flows(load).count == 1 }
        try await stage.played(load, past: 10.3)
    }

    @Test("PB-10 nothing comes at first: pause, seek and a second load are obeyed meanwhile", .timeLimit(.minutes(1)))
    func slowOpen() async throws {
        let stage = EngineStage(.real)
        stage.media.prepare = { reader, _ in reader.hold(from: 0) }
        let first = try stage.load(.tone(1))
        try await stage.wait("a read") { $0.media.readers.first?.isWaiting == true }
        let second = try stage.load(.tone(2), from: 10)
        try await stage.wait("another read") { $0.media.readers[1].isWaiting }
        #expect(stage.media.readers[0].isCancelled)
        stage.engine.setPaused(true)
        stage.engine.seek(to: 30)
        stage.engine.setRate(2)
        try await stage.wait("stalled") { $0.stalls(second) == [30] }
        stage.reader.release()
        #expect(abs(try await stage.reached(second) - 30) < 0.1)
        try await Task.sleep(for: .milliseconds(150))
        #expect(abs(try await stage.position(second).place - 30) < 0.1)
        #expect(stage.events(first) == [])
        stage.engine.setPaused(false)
        try await stage.played(second, past: 30.5)
        #expect(stage.media.loads.count == 2)
    }

    @Test("PB-26 a seek that fails is logged, and play goes on where it is", .timeLimit(.minutes(1)))
    func failedSeek() async throws {
        let stage = EngineStage(.real)
        let load = try stage.load(.tone(1), from: 20)
        try await stage.played(load, past: 20.2)
        stage.engine.seek(to: .nan)
        let place = try await stage.reached(load, 2)
        #expect(place > 20.1 && place < 21)
        try await stage.played(load, past: place + 0.3)
        #expect(stage.failures(load) == [])
        #expect(stage.lines.all.contains { $0.contains("did not seek") })
    }

    @Test(
        "PB-08 a big cover in front: only sound, the right duration, a start in normal time and the end at the end",
        .timeLimit(.minutes(1)))
    func cover() async throws {
        let stage = EngineStage(.real)
        let load = try stage.load(.toneWithCover, from: Sound.length - 1)
        let begun = MonotonicClock.now
        _ = try await stage.reached(load)
        #expect(MonotonicClock.now - begun < 2)
        guard case .opened(let duration?) = stage.events(load).first else {
            throw Missed(what: "opened", told: stage.told, log: [])
        }
        #expect(abs(duration - Sound.length) < 0.5)
        try await stage.wait("the end") { $0.events(load).last == .ended }
    }

    @Test(
        "bytes that are no audio: tried once more, then a failure of the media", .timeLimit(.minutes(1)),
        arguments: [Sound.garbage, .page, .empty, .playlist])
    func noAudio(_ sound: Sound) async throws {
        let stage = EngineStage(.real)
        let load = try stage.load(sound)
        try await stage.wait("the failure") { $0.failures(load) == [.media] }
        #expect(stage.media.loads.count == 2)
        #expect(!stage.events(load).contains(.ended))
    }

    @Test("the server's file becomes another one: opened again at the place, unnoticed", .timeLimit(.minutes(1)))
    func changedFile() async throws {
        let stage = EngineStage(.real)
        stage.media.prepare = { [media = stage.media] reader, _ in
            guard media.readers.count == 1 else { return }
            reader.hold(from: 192_000)
            reader.failAtGap(.media)
        }
        let load = try stage.load(.tone(1), from: 20)
        try await stage.wait("a second load") { $0.media.loads.count == 2 }
        let place = stage.media.loads[1].start
        #expect(place > 23 && place < 24.5, "192 000 bytes are 24 s, \(place)")
        try await stage.played(load, past: place + 0.3)
        #expect(stage.failures(load) == [])
        #expect(stage.media.loads[1].generation == stage.media.loads[0].generation)
    }

    @Test("a server that does not tell the size: plays, and only the bytes' end is the end", .timeLimit(.minutes(1)))
    func noSize() async throws {
        let stage = EngineStage(.real)
        stage.media.prepare = { reader, _ in reader.hideSize() }
        let load = try stage.load(.tone(1))
        try await stage.played(load, past: 0.3)
        #expect(stage.failures(load) == [])
        #expect(stage.events(load).contains(.opened(duration: nil)))
    }
}
