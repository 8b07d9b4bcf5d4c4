import DemoKit
import EventLoop
import Foundation
import Library
import Playback
import Testing

@testable import Engine

/// What is really heard: at sinks of a private sound server, and decoded to a file.
@Suite("what is heard", .serialized)
@Core
struct SoundTests {
    private func stage(_ sound: PrivateSound, sink: String = "car") -> EngineStage {
        let stage = EngineStage(output: .pulse(server: sound.server, buffer: 500))
        stage.engine.setOutput(sink: sink)
        return stage
    }

    @Test("PB-19 resumed at 20 s: the first thing heard is 20 s, at the car's sink and at no other", .timeLimit(.minutes(1)))
    func resumes() async throws {
        let sound = try PrivateSound()
        try sound.addSink("car")
        let (car, silent) = try (
            MonitorCapture(server: sound.server, sink: "car"),
            MonitorCapture(server: sound.server, sink: PrivateSound.silence)
        )
        let stage = stage(sound)
        let load = try stage.load(.tone(3), from: 20)
        try await stage.played(load, past: 21.2)
        let readings = ToneCode.readings(car.recording)
        #expect(readings.first?.reading.episode == 3)
        #expect(readings.first?.reading.position == 20)
        #expect(readings.allSatisfy { $0.reading.episode == 3 && $0.reading.position >= 20 })
        #expect(silent.recording.soundSeconds() == 0)
    }

    @Test("the place told is the one heard at that moment", .timeLimit(.minutes(1)))
    func placeIsHeard() async throws {
        let sound = try PrivateSound()
        try sound.addSink("car")
        let car = try MonitorCapture(server: sound.server, sink: "car")
        let stage = stage(sound)
        let load = try stage.load(.tone(3), from: 10)
        try await stage.played(load, past: 11)
        let answer = try await stage.position(load)
        try await stage.played(load, past: answer.place + 0.8)
        let at = Double(answer.at.nanoseconds) / 1e9
        // Both sides of a change of tones, 0.15 s around it: closer than that no reading is clear.
        let change = (answer.place / ToneCode.slot).rounded(.up) * ToneCode.slot
        let heardAt = at + change - answer.place
        #expect(ToneCode.reading(car.recording, at: heardAt - 0.15)?.position == change - ToneCode.slot)
        #expect(ToneCode.reading(car.recording, at: heardAt + 0.15)?.position == change)
    }

    @Test("after a change of speed the place is told anew, and is the one heard", .timeLimit(.minutes(1)))
    func placeIsHeardAtAnotherSpeed() async throws {
        let sound = try PrivateSound()
        try sound.addSink("car")
        let car = try MonitorCapture(server: sound.server, sink: "car")
        let stage = stage(sound)
        let load = try stage.load(.tone(3), from: 10)
        try await stage.played(load, past: 11)
        let before = stage.answers(load).count
        stage.engine.setRate(1.5)
        try await stage.wait("the place", 3) { $0.answers(load).count > before }
        let told = stage.answers(load)[before]
        try await stage.played(load, past: told.place + 1.5)
        let at = Double(told.at.nanoseconds) / 1e9
        let heard = ToneCode.readings(car.recording, from: at).filter { $0.time < at + 0.8 }
        #expect(heard.count > 3)
        for (time, reading) in heard {
            let place = told.place + (time - at) * 1.5
            #expect(reading.position < place + 0.15 && reading.position > place - ToneCode.slot - 0.15)
        }
    }

    @Test("pause is silence, play is sound from the same place", .timeLimit(.minutes(1)))
    func pauses() async throws {
        let sound = try PrivateSound()
        try sound.addSink("car")
        let car = try MonitorCapture(server: sound.server, sink: "car")
        let stage = stage(sound)
        let load = try stage.load(.tone(3), from: 10)
        try await stage.played(load, past: 10.6)
        let paused = MonotonicClock.now
        stage.engine.setPaused(true)
        #expect(car.wait { $0.silence(after: paused, lasting: 0.3) != nil })
        #expect(car.recording.silence(after: paused, lasting: 0.3)! - paused < 0.3)
        let place = try await stage.position(load).place
        let resumed = MonotonicClock.now
        stage.engine.setPaused(false)
        try await stage.played(load, past: place + 0.6)
        let first = ToneCode.readings(car.recording, from: car.recording.firstSound(after: resumed)).first
        #expect(abs((first?.reading.position ?? 0) - place) <= 0.6)
    }

    @Test(
        "PB-21 the wished sink is not there: a failure of the output, and nothing is heard elsewhere",
        .timeLimit(.minutes(1)))
    func missingSink() async throws {
        let sound = try PrivateSound()
        let silent = try MonitorCapture(server: sound.server, sink: PrivateSound.silence)
        let stage = stage(sound, sink: "gone")
        let load = try stage.load(.tone(3), from: 20)
        try await stage.wait("failed") { $0.failures(load) == [.device] }
        #expect(stage.places(load) == [])
        #expect(stage.media.loads.count == 1, "not a fault of the media: no second try")
        #expect(silent.recording.soundSeconds() == 0)
        try sound.addSink("gone")
        let again = try stage.load(.tone(3), from: 20)
        try await stage.played(again, past: 20.3)
    }

    @Test("the sink goes while it plays: a failure of the output at once", .timeLimit(.minutes(1)))
    func sinkGoes() async throws {
        let sound = try PrivateSound()
        try sound.addSink("car")
        let stage = stage(sound)
        let load = try stage.load(.tone(3), from: 20)
        try await stage.played(load, past: 20.3)
        try sound.removeSink("car")
        try await stage.wait("failed", 2) { $0.failures(load) == [.device] }
        #expect(!stage.events(load).contains(.ended))
    }

    @Test(
        "AV-39 the sound server is killed while it plays: told within a second; plays when it is back",
        .timeLimit(.minutes(1)))
    func serverKilled() async throws {
        let sound = try PrivateSound()
        try sound.addSink("car")
        let stage = stage(sound)
        let load = try stage.load(.tone(3), from: 20)
        try await stage.played(load, past: 20.3)
        sound.kill()
        try await stage.wait("failed", 1) { $0.failures(load) == [.device] }
        try sound.restart()
        try sound.addSink("car")
        let car = try MonitorCapture(server: sound.server, sink: "car")
        let again = try stage.load(.tone(3), from: 20)
        try await stage.played(again, past: 20.6)
        #expect(ToneCode.readings(car.recording).first?.reading.position == 20)
    }

    @Test("AV-39 the sound server hangs: the load fails after a while, and one after it plays", .timeLimit(.minutes(1)))
    func serverHangs() async throws {
        let sound = try PrivateSound()
        try sound.addSink("car")
        let stage = stage(sound)
        stage.real.patience = 1
        sound.freeze()
        let load = try stage.load(.tone(3), from: 20)
        try await stage.wait("failed", 5) { $0.failures(load) == [.device] }
        sound.thaw()
        let again = try stage.load(.tone(3), from: 30)
        try await stage.played(again, past: 30.3)
        #expect(stage.events(load) == [.failed(.device)] || stage.events(load).count == 2)
    }

    @Test("another episode to another sink: the former is not heard there", .timeLimit(.minutes(1)))
    func changesSink() async throws {
        let sound = try PrivateSound()
        try sound.addSink("car")
        try sound.addSink("other")
        let other = try MonitorCapture(server: sound.server, sink: "other")
        let stage = stage(sound)
        let load = try stage.load(.tone(3), from: 20)
        try await stage.played(load, past: 20.5)
        stage.engine.setOutput(sink: "other")
        try await stage.played(load, past: 20.8)
        #expect(other.recording.soundSeconds() == 0, "takes effect with the next load")
        let next = try stage.load(.tone(4), from: 5)
        try await stage.played(next, past: 5.8)
        let episodes = Set(ToneCode.readings(other.recording).map(\.reading.episode))
        #expect(episodes == [4])
    }

    @Test("a paused episode over another one: the former is not heard again", .timeLimit(.minutes(1)))
    func noBlip() async throws {
        let sound = try PrivateSound()
        try sound.addSink("car")
        let car = try MonitorCapture(server: sound.server, sink: "car")
        let stage = stage(sound)
        let load = try stage.load(.tone(3), from: 20)
        try await stage.played(load, past: 20.5)
        stage.engine.setPaused(true)
        let paused = MonotonicClock.now
        #expect(car.wait { $0.silence(after: paused, lasting: 0.2) != nil })
        let quiet = MonotonicClock.now
        let next = try stage.load(.tone(4), from: 5)
        try await stage.played(next, past: 5.8)
        let later = ToneCode.readings(car.recording, from: quiet)
        #expect(Set(later.map(\.reading.episode)) == [4])
        #expect(later.first?.reading.position == 5)
    }

    @Test("PB-17 somebody's mpv.conf, watch-later file and script change nothing", .timeLimit(.minutes(1)))
    func ignoresConfiguration() async throws {
        let home = try TemporaryFolder("mpv-home")
        defer { home.remove() }
        try FileManager.default.createDirectory(atPath: home.path + "/scripts", withIntermediateDirectories: true)
        try "start=40\nspeed=3\nmute=yes\nao=null\n".write(
            toFile: home.path + "/mpv.conf", atomically: true, encoding: .utf8)
        try "mp.set_property('speed', 3)".write(toFile: home.path + "/scripts/x.lua", atomically: true, encoding: .utf8)
        setenv("MPV_HOME", home.path, 1)
        defer { unsetenv("MPV_HOME") }
        let sound = try PrivateSound()
        try sound.addSink("car")
        let car = try MonitorCapture(server: sound.server, sink: "car")
        let stage = stage(sound)
        let load = try stage.load(.tone(3))
        try await stage.played(load, past: 1.2)
        let readings = ToneCode.readings(car.recording)
        #expect(readings.first?.reading.position == 0)
        let (early, late) = (readings.first!, readings.last!)
        #expect(abs((late.reading.position - early.reading.position) - (late.time - early.time)) < 0.6)
    }

    @Test("PB-19 decoded to a file: not one sample from before the start", .timeLimit(.minutes(1)))
    func noSampleBefore() async throws {
        let folder = try TemporaryFolder("wave")
        defer { folder.remove() }
        let file = folder.path + "/out.wav"
        var stage: EngineStage? = EngineStage(output: .wave(file: file))
        let load = try stage!.load(.tone(5), from: 50)
        try await stage!.wait("the end") { $0.events(load).last == .ended }
        stage = nil
        let samples = try WaveFile(file, within: 10)
        var recording = Recording(rate: samples.rate)
        recording.append(samples.mono, at: Double(samples.mono.count) / Double(samples.rate))
        #expect(abs(Double(samples.mono.count) / Double(samples.rate) - 10) < 0.2)
        // The first clear reading is of the first half second, though an mp3's frames begin up to 0.05 s before.
        let readings = ToneCode.readings(recording, step: 0.05)
        #expect(readings.first?.reading.episode == 5)
        #expect(readings.first?.reading.position == 50)
        #expect(readings.allSatisfy { $0.reading.position >= 50 })
    }
}
