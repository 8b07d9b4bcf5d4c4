import AudioRouting
import DemoKit
import EventLoop
import Playback
import Testing

@Suite("Where the sound goes", .timeLimit(.minutes(1)))
@Core
struct RoutingTests {
    private let sinkName = "bluez_sink.AA_BB_CC_DD_EE_FF.a2dp_sink"

    @Test("AV-33 the car's sink goes while playing: told at once, and on our own server nothing is heard anywhere")
    func ownServer() async throws {
        let sound = try await off { try PrivateSound(rescuesStreams: true) }
        defer { sound.stop() }
        let sink = try await off { try sound.addCarSink(address: car) }
        try await off { try sound.addSink("speakers") }
        let player = try await off { try play(sound, sink: sink) }
        defer { player.kill() }
        let stage = Stage(sound, process: player.pid)
        defer { stage.routing.stop() }
        stage.routing.carChanged(address: car)
        try await stage.output(is: Output(sink: sink, car: car))
        let heard = try await off { try MonitorCapture(server: sound.server, sink: sink) }
        let speakers = try await off { try MonitorCapture(server: sound.server, sink: "speakers") }
        try await eventually("it plays") { heard.recording.soundSeconds() > 0.3 }
        try await off { try sound.removeSink(sink) }
        let gone = MonotonicClock.now
        try await stage.output(is: nil)
        #expect(stage.outputs.last!.time - gone < 0.3)
        try await eventually("a second later") { (speakers.recording.end ?? 0) > gone + 1 }
        #expect(speakers.stop().soundSeconds() == 0)
        #expect(player.isRunning)
    }

    @Test("AV-33 on another's server the stream that was moved to the speakers is muted at once, and heard again in the car")
    func foreignServer() async throws {
        let sound = try await off { try PrivateSound(rescuesStreams: true) }
        defer { sound.stop() }
        try await off { try sound.addSink("speakers") }
        try await off { try sound.control("set-default-sink", "speakers") }
        let sink = try await off { try sound.addCarSink(address: car) }
        let player = try await off { try play(sound, sink: sink) }
        defer { player.kill() }
        let stage = Stage(sound, process: player.pid)
        defer { stage.routing.stop() }
        stage.routing.carChanged(address: car)
        try await stage.output(is: Output(sink: sink, car: car))
        let heard = try await off { try MonitorCapture(server: sound.server, sink: sink) }
        let speakers = try await off { try MonitorCapture(server: sound.server, sink: "speakers") }
        try await eventually("it plays") { heard.recording.soundSeconds() > 0.3 }
        try await off { try sound.removeSink(sink) }
        let gone = MonotonicClock.now
        try await stage.output(is: nil)
        try await eventually("a second later") { (speakers.recording.end ?? 0) > gone + 1 }
        // A few milliseconds pass between the server's move and our hand on it.
        #expect(speakers.stop().soundSeconds() < 0.1, "\(stage.log)")
        try await off { try sound.addCarSink(address: car) }
        try await stage.output(is: Output(sink: sink, car: car))
        let stream = try streamIndex(sound)
        try await off { try sound.control("move-sink-input", stream, sink) }
        let again = try await off { try MonitorCapture(server: sound.server, sink: sink) }
        try await eventually("heard") { again.recording.soundSeconds() > 0.3 }
    }

    @Test("a stream of ours that starts on a foreign sink is not heard; one of another process is left alone")
    func foreignStream() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        try await off { try sound.addSink("speakers") }
        let ours = try await off { try play(sound, sink: "speakers") }
        defer { ours.kill() }
        let stage = Stage(sound, process: ours.pid)
        defer { stage.routing.stop() }
        try await eventually("muted") { try sound.control("list", "sink-inputs").contains("Mute: yes") }
        let theirs = try await off { try play(sound, sink: "speakers") }
        defer { theirs.kill() }
        let speakers = try await off { try MonitorCapture(server: sound.server, sink: "speakers") }
        try await eventually("heard") { speakers.recording.soundSeconds() > 0.3 }
    }

    @Test("PB-21 AV-36 the car is connected but has no sink: no output, until it comes")
    func noSink() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let stage = Stage(sound)
        defer { stage.routing.stop() }
        stage.routing.carChanged(address: car)
        try await eventually("connected") { stage.log.contains("sound server connected") }
        try await off { try sound.addSink("bluez_sink.AA_BB_CC_DD_EE_FF.handsfree_head_unit") }
        try await off { try sound.addCarSink(address: otherCar) }
        try await off { try sound.addSink("marker", properties: ["device.string": car, "device.api": "bluez5"]) }
        try await stage.output(is: Output(sink: "marker", car: car))
        #expect(stage.outputs.count == 1)
    }

    @Test("PipeWire's names and properties are the car's too")
    func pipeWire() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let stage = Stage(sound)
        defer { stage.routing.stop() }
        stage.routing.carChanged(address: car)
        let properties = ["api.bluez5.address": car, "device.api": "bluez5", "api.bluez5.profile": "a2dp-sink"]
        try await off { try sound.addSink("bluez_output.AA_BB_CC_DD_EE_FF.1", properties: properties) }
        try await stage.output(is: Output(sink: "bluez_output.AA_BB_CC_DD_EE_FF.1", car: car))
    }

    @Test("a configured fallback is played to without a car; the car takes over, with a loss in between")
    func fallback() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        try await off { try sound.addSink("speakers") }
        let stage = Stage(sound, fallback: "speakers")
        defer { stage.routing.stop() }
        try await stage.output(is: Output(sink: "speakers", car: nil))
        #expect(stage.routing.volume == 100)
        #expect(stage.memory.isEmpty)
        stage.routing.carChanged(address: car)
        try await off { try sound.addCarSink(address: car) }
        try await stage.output(is: Output(sink: sinkName, car: car))
        #expect(stage.outputs.map { $0.output?.sink } == ["speakers", nil, sinkName])
        try await off { try sound.removeSink(sinkName) }
        try await stage.output(is: Output(sink: "speakers", car: nil))
    }

    @Test("AV-38 a new car starts at 40 %, a known one no louder than last time, each with its own")
    func startVolume() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let stage = Stage(sound, memory: [otherCar: 55])
        defer { stage.routing.stop() }
        let first = try await off { try sound.addCarSink(address: car) }
        let second = try await off { try sound.addCarSink(address: otherCar) }
        stage.routing.carChanged(address: car)
        try await stage.output(is: Output(sink: first, car: car))
        #expect(stage.routing.volume == 40)
        try await eventually("set") { try stage.sinkVolume(first) == 40 }
        #expect(try stage.sinkVolume(second) == 100)
        stage.routing.carChanged(address: otherCar)
        try await stage.output(is: Output(sink: second, car: otherCar))
        try await eventually("set") { try stage.sinkVolume(second) == 55 }
        #expect(stage.memory == [car: 40, otherCar: 55])
    }

    @Test("AV-38 the car's knob is followed and remembered; on its return it is not louder than that")
    func knob() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let sink = try await off { try sound.addCarSink(address: car) }
        let stage = Stage(sound, memory: [car: 50])
        defer { stage.routing.stop() }
        stage.routing.carChanged(address: car)
        try await stage.output(is: Output(sink: sink, car: car))
        try await off { try sound.control("set-sink-volume", sink, "35%") }
        try await eventually("followed") { stage.routing.volume == 35 && stage.memory[car] == 35 }
        #expect(stage.volumeChanges == 2)
        try await off { try sound.control("set-sink-mute", sink, "1") }
        try await eventually("muted") { stage.routing.isMuted == true }
        try await off { try sound.removeSink(sink) }
        try await stage.output(is: nil)
        #expect(stage.routing.volume == 35)
        try await off { try sound.addCarSink(address: car) }
        try await stage.output(is: Output(sink: sink, car: car))
        try await eventually("no louder") { try stage.sinkVolume(sink) == 35 }
    }

    @Test("volume N is N percent on the car's sink, and mute is the sink's")
    func command() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let sink = try await off { try sound.addCarSink(address: car) }
        let stage = Stage(sound)
        defer { stage.routing.stop() }
        stage.routing.carChanged(address: car)
        try await stage.output(is: Output(sink: sink, car: car))
        #expect(stage.routing.setVolume(73))
        try await eventually("73 %") { try stage.sinkVolume(sink) == 73 }
        #expect(stage.memory[car] == 73)
        #expect(stage.routing.setMuted(true))
        try await eventually("muted") { try sound.control("get-sink-mute", sink).contains("yes") }
    }

    @Test("AV-39 the sound server is killed and comes back: no output meanwhile, the car's sink again afterwards")
    func serverKilled() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let sink = try await off { try sound.addCarSink(address: car) }
        let stage = Stage(sound)
        defer { stage.routing.stop() }
        stage.routing.carChanged(address: car)
        try await stage.output(is: Output(sink: sink, car: car))
        let killed = try await off {
            sound.kill()
            return MonotonicClock.now
        }
        try await stage.output(is: nil)
        #expect(stage.outputs.last!.time - killed < 1)
        #expect(!stage.routing.setVolume(10))
        try await off { try sound.restart() }
        try await off { try sound.addCarSink(address: car) }
        try await stage.output(is: Output(sink: sink, car: car))
        #expect(stage.log.filter { $0.hasPrefix("sound server gone") }.count == 1)
    }

    @Test("AV-39 a sound server that hangs counts as gone, and is taken again when it answers")
    func serverHangs() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        let sink = try await off { try sound.addCarSink(address: car) }
        let stage = Stage(sound, patience: 0.5)
        defer { stage.routing.stop() }
        stage.routing.carChanged(address: car)
        try await stage.output(is: Output(sink: sink, car: car))
        sound.freeze()
        try await stage.output(is: nil)
        sound.thaw()
        try await stage.output(is: Output(sink: sink, car: car))
    }

    @Test("no sound server at the start: no output, and it is found when it comes")
    func late() async throws {
        let sound = try await off { try PrivateSound() }
        defer { sound.stop() }
        sound.kill()
        let stage = Stage(sound)
        defer { stage.routing.stop() }
        stage.routing.carChanged(address: car)
        try await eventually("tried") { !stage.log.isEmpty }
        #expect(stage.routing.current == nil)
        try await off { try sound.restart() }
        let sink = try await off { try sound.addCarSink(address: car) }
        try await stage.output(is: Output(sink: sink, car: car))
    }

    private func streamIndex(_ sound: PrivateSound) throws -> String {
        String(try sound.control("list", "short", "sink-inputs").prefix { $0.isNumber })
    }
}
