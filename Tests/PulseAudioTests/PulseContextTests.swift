import DemoKit
import EventLoop
import Testing

@testable import PulseAudio

private let car = "AA:BB:CC:DD:EE:FF"

@Suite("A connection to a real sound server", .timeLimit(.minutes(1)))
@Core
struct PulseContextTests {
    @Test("server, default sink and the car's sink with its address are told")
    func look() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let name = try await off { try sound.addCarSink(address: car) }
        let listener = Listener(sound.server)
        try await listener.ready()
        let info = try await ask { listener.context.server($0) }
        #expect(info.name == "pulseaudio")
        #expect(info.defaultSink == PrivateSound.silence)
        let sink = try await listener.sink(named: name)
        #expect(sink.properties["device.string"] == car)
        #expect(sink.properties["device.api"] == "bluez")
        #expect(sink.volume == 100)
        #expect(sink.channels == 2)
        #expect(!sink.isMuted)
        #expect(try await ask { listener.context.sink(sink.index, $0) } == sink)
    }

    @Test("volume and mute are set and come back as news")
    func volume() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let name = try await off { try sound.addCarSink(address: car) }
        let listener = Listener(sound.server)
        try await listener.ready()
        let sink = try await listener.sink(named: name)
        for percent in [40, 0, 79, 100] {
            let before = listener.changes.count
            try await ask { listener.context.setVolume(percent, of: sink, $0) }
            #expect(try await listener.sink(named: name).volume == percent)
            try await eventually("a change is told") {
                listener.changes[before...].contains {
                    $0.change == Change(facility: .sink, kind: .changed, index: sink.index)
                }
            }
        }
        try await ask { listener.context.setMuted(true, sink: sink.index, $0) }
        #expect(try await listener.sink(named: name).isMuted)
    }

    @Test("a stream is seen with its process, moved, muted and killed")
    func stream() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let name = try await off { try sound.addCarSink(address: car) }
        let listener = Listener(sound.server)
        try await listener.ready()
        let player = try await off { try play(sound, sink: name) }
        defer { player.kill() }
        try await eventually("it plays") { try await !listener.inputs().isEmpty }
        let input = try #require(await listener.inputs().first)
        #expect(input.processID == player.pid)
        #expect(input.application == "mpv")
        #expect(try await input.sink == listener.sink(named: name).index)
        let silence = try await listener.sink(named: PrivateSound.silence)
        try await ask { listener.context.move(sinkInput: input.index, to: silence.index, $0) }
        try await ask { listener.context.setMuted(true, sinkInput: input.index, $0) }
        let moved = try await ask { listener.context.sinkInput(input.index, $0) }
        #expect(moved.sink == silence.index)
        #expect(moved.isMuted)
        try await ask { listener.context.kill(sinkInput: input.index, $0) }
        await #expect(throws: PulseError.noSuchEntity) { try await ask { listener.context.sinkInput(input.index, $0) } }
    }

    @Test("modules are loaded and unloaded, the default sink is changed")
    func modules() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let listener = Listener(sound.server)
        try await listener.ready()
        let module = try await ask { listener.context.loadModule("module-null-sink", "sink_name=more", $0) }
        #expect(try await listener.sink(named: "more").module == module)
        try await ask { listener.context.setDefaultSink("more", $0) }
        #expect(try await ask { listener.context.server($0) }.defaultSink == "more")
        try await ask { listener.context.unloadModule(module, $0) }
        #expect(try await !listener.sinks().contains { $0.name == "more" })
        await #expect(throws: PulseError.self) {
            try await ask { listener.context.loadModule("module-of-nobody", "", $0) } as UInt32
        }
    }

    @Test("a sink's removal is told at once")
    func removal() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let name = try await off { try sound.addCarSink(address: car) }
        let listener = Listener(sound.server)
        try await listener.ready()
        let sink = try await listener.sink(named: name)
        let module = try #require(sink.module)
        let asked = MonotonicClock.now
        try await ask { listener.context.unloadModule(module, $0) }
        try await eventually("removed") {
            listener.changes.contains { $0.change == Change(facility: .sink, kind: .removed, index: sink.index) }
        }
        #expect(listener.changes.last { $0.change.kind == .removed }!.time - asked < 0.3)
    }

    @Test("AV-39 the server is killed: told as failed, and a question under way is answered")
    func killed() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let listener = Listener(sound.server)
        try await listener.ready()
        var answer: Result<[Sink], PulseError>?
        sound.freeze()
        listener.context.sinks { answer = $0 }
        sound.kill()
        try await eventually("answered and told") { answer != nil && listener.states.count == 2 }
        #expect(answer == .failure(.connectionTerminated))
        #expect(listener.states.last == .failed(.connectionTerminated))
    }

    @Test("nobody there: refused, and no server is started")
    func absent() async throws {
        let listener = Listener("unix:/nonexistent/native")
        try await eventually("told") { listener.states == [.failed(.connectionRefused)] }
    }

    @Test("closing with questions under way answers them all")
    func closing() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let listener = Listener(sound.server)
        try await listener.ready()
        var answers = 0
        for _ in 0..<50 { listener.context.sinks { _ in answers += 1 } }
        listener.context.close()
        try await eventually("all answered") { answers == 50 }
    }

    @Test("a connection that only its own questions hold ends with the last answer, on the core")
    func letGo() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        for _ in 0..<100 {
            weak var gone: PulseContext?
            var answers = 0
            do {
                let context = PulseContext(server: sound.server, name: "short")
                gone = context
                try await eventually("connected") {
                    await withCheckedContinuation { done in
                        context.server {
                            if case .success = $0 { done.resume(returning: true) } else { done.resume(returning: false) }
                        }
                    }
                }
                for _ in 0..<3 {
                    context.sinks { _ in
                        answers += 1
                        _ = context
                    }
                }
            }
            try await eventually("answered and gone") { answers == 3 && gone == nil }
        }
    }

    @Test("percent and PulseAudio's scale map both ways over 0…100")
    func scale() {
        for number in 0...100 { #expect(percent(PulseAudio.volume(percent: number)) == number) }
    }
}
