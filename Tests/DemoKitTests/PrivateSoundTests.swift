import Glibc
import Testing

@testable import DemoKit

@Suite("A private sound server with a car", .timeLimit(.minutes(1)))
struct PrivateSoundTests {
    @Test("an episode played to the car's sink is heard at its monitor, with episode and place")
    func heard() throws {
        let sound = try PrivateSound()
        defer { sound.stop() }
        let sink = try sound.addCarSink(address: "AA:BB:CC:DD:EE:FF")
        let episode = try ToneEpisode(number: 3, seconds: 20)
        let capture = try MonitorCapture(server: sound.server, sink: sink)
        let elsewhere = try MonitorCapture(server: sound.server, sink: PrivateSound.silence)
        let started = MonotonicClock.now
        let player = try playing(episode, at: 5, server: sound.server, sink: sink)
        #expect(capture.wait { $0.soundSeconds() > 1.5 })
        player.kill()
        let readings = ToneCode.readings(capture.stop())
        let first = try #require(readings.first)
        #expect(first.reading.episode == 3)
        #expect(first.reading.position == 5)
        let last = try #require(readings.last)
        #expect(abs((last.reading.position - 5) - (last.time - first.time)) <= 0.5)
        #expect(first.time > started)
        #expect(elsewhere.stop().soundSeconds() == 0)
    }

    @Test("a sink that goes ends its capture; the others go on")
    func removed() throws {
        let sound = try PrivateSound()
        defer { sound.stop() }
        let sink = try sound.addCarSink(address: "AA:BB:CC:DD:EE:FF")
        let capture = try MonitorCapture(server: sound.server, sink: sink)
        let other = try MonitorCapture(server: sound.server, sink: PrivateSound.silence)
        #expect(capture.isRunning)
        try sound.removeSink(sink)
        let deadline = MonotonicClock.now + 5
        while capture.isRunning, MonotonicClock.now < deadline { usleep(5_000) }
        #expect(!capture.isRunning)
        #expect(other.isRunning)
    }

    @Test("killed and started again it answers at the same address")
    func restarted() throws {
        let sound = try PrivateSound()
        defer { sound.stop() }
        try sound.addCarSink(address: "AA:BB:CC:DD:EE:FF")
        sound.kill()
        #expect(throws: DemoError.self) { try sound.control("info") }
        try sound.restart()
        #expect(try sound.control("list", "short", "sinks").contains(PrivateSound.silence))
        #expect(try !sound.control("list", "short", "sinks").contains("bluez"))
    }

    @Test("a capture of a sink that is not there fails with its name")
    func absent() throws {
        let sound = try PrivateSound()
        defer { sound.stop() }
        #expect(throws: DemoError.self) { try MonitorCapture(server: sound.server, sink: "nothing") }
    }

    @Test("a child started from any thread takes SIGTERM and is gone when released")
    func child() throws {
        var child: ChildProcess? = try ChildProcess(["sleep", "60"])
        let pid = child!.pid
        #expect(child!.terminate() == .signalled(SIGTERM))
        child = nil
        #expect(kill(pid, 0) == -1)
        #expect(throws: DemoError.self) { try ChildProcess(["no-such-program"]) }
        #expect(try ChildProcess.run(["echo", "hello"]) == "hello\n")
    }
}

private func playing(_ episode: ToneEpisode, at seconds: Int, server: String, sink: String) throws -> ChildProcess {
    var environment = ChildProcess.environment
    environment["PULSE_SERVER"] = server
    return try ChildProcess(
        [
            "mpv", "--no-config", "--no-terminal", "--vo=null", "--ao=pulse", "--audio-device=pulse/\(sink)",
            "--start=\(seconds)", episode.path,
        ], environment: environment)
}
