import DemoKit
import Testing

@Suite("The first drive, from the server to the speaker", .serialized)
struct FirstDriveTests {
    @Test("the driver presses Play: the first episode of the queue is heard from its beginning", .timeLimit(.minutes(1)))
    func playsFromTheBeginning() async throws {
        let drive = try await Drive()
        let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
        try drive.start()
        try #require(try await drive.state { !($0["queue"]?.array ?? []).isEmpty } != nil, "\(drive.log)")
        let pressed = MonotonicClock.now
        try drive.run("play")
        try #require(ears.wait(until: { $0.soundSeconds(from: pressed) > 2 }), "\(drive.log)")
        let heard = try #require(ears.recording.firstSound(after: pressed))
        let reading = try #require(ToneCode.reading(ears.recording, at: heard + 0.6))
        #expect(reading.episode == 0)
        #expect(reading.position <= 1)
        #expect(drive.server.log.violations.isEmpty)
    }

    @Test("PB-19 resumes where the server says: nothing of the first second is heard", .timeLimit(.minutes(1)))
    func resumesAtTheOffset() async throws {
        let drive = try await Drive()
        drive.server.update { $0.shows[0].episodes[0].position = 60 }
        let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
        try drive.start()
        try #require(try await drive.state { !($0["queue"]?.array ?? []).isEmpty } != nil, "\(drive.log)")
        try drive.run("play")
        try #require(ears.wait(until: { $0.soundSeconds() > 3 }), "\(drive.log)")
        let readings = ToneCode.readings(ears.recording)
        // An unknown time away counts as a minute: three seconds back.
        #expect(readings.allSatisfy { $0.reading.episode == 0 && $0.reading.position >= 56 }, "\(readings)")
        #expect(readings.contains { abs($0.reading.position - 58) <= 1.5 })
    }

    @Test("Pause from the wheel: silent within 300 ms, the place is stored and sent", .timeLimit(.minutes(1)))
    func pausesAtOnce() async throws {
        let drive = try await Drive()
        let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
        try await drive.startPlaying(heardBy: ears)
        let pressed = MonotonicClock.now
        await drive.bluez.car.press(.pause)
        try #require(ears.wait(until: { $0.silence(after: pressed, lasting: 1) != nil }), "\(drive.log)")
        let silent = try #require(ears.recording.silence(after: pressed, lasting: 1))
        #expect(silent - pressed < 0.3)
        let state = try #require(try await drive.state { $0.phase == "paused" })
        let place = try #require(state.position)
        #expect(await drive.server.log.wait(for: 1, "/api/entries/f1/e0/position", method: "PUT"))
        let sent = try #require(drive.server.episode("f1", "e0")?.position)
        #expect(abs(sent - place) < 0.5)
    }

    @Test("the car leaves while playing and returns: silent, then it goes on where it was", .timeLimit(.minutes(1)))
    func leavesAndReturns() async throws {
        let drive = try await Drive()
        let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
        try await drive.startPlaying(heardBy: ears)
        try drive.sound.removeSink(drive.sink)
        await drive.bluez.car.leave()
        let paused = try #require(try await drive.state { $0.phase == "paused" }, "\(drive.log)")
        let place = try #require(paused.position)
        #expect(paused["reason"]?.string == "car-lost")
        _ = try drive.sound.addCarSink(address: Drive.car)
        await drive.bluez.car.connect()
        let playing = try #require(try await drive.state { $0.phase == "playing" }, "\(drive.log)")
        #expect(abs(try #require(playing.position) - place) < 3)
    }

    @Test("the end of an episode: read at the server, position 0, the next one plays", .timeLimit(.minutes(1)))
    func goesOnToTheNext() async throws {
        let drive = try await Drive(episodes: [20, 60])
        let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
        try await drive.startPlaying(heardBy: ears)
        try #require(try await drive.state(within: 40) { $0.guid == "e1" && $0.phase == "playing" } != nil, "\(drive.log)")
        #expect(await drive.server.log.wait(for: 1, "/api/entries/f1/e0/read", method: "PUT", within: 10))
        let finished = try await drive.until {
            drive.server.episode("f1", "e0").map { $0.isRead && $0.position == 0 } == true
        }
        #expect(finished, "\(String(describing: drive.server.episode("f1", "e0")))")
        // The list it was in is not a quarter of an hour old: it does not come again all the same.
        #expect(drive.state()?.queued == [])
    }

    @Test("SIGTERM: paused, stored, sent and gone within three seconds with exit code 0", .timeLimit(.minutes(1)))
    func stopsInTime() async throws {
        let drive = try await Drive()
        let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
        try await drive.startPlaying(heardBy: ears)
        let asked = MonotonicClock.now
        #expect(drive.service?.terminate(grace: 10) == .exited(0), "\(drive.log)")
        #expect(MonotonicClock.now - asked < 3)
        #expect((drive.server.episode("f1", "e0")?.position ?? 0) > 1)
    }

    @Test(
        "a second service on the same state folder ends with exit code 1 and says why; the first plays on",
        .timeLimit(.minutes(1)))
    func secondService() async throws {
        let drive = try await Drive()
        let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
        try await drive.startPlaying(heardBy: ears)
        let second = try drive.another()
        #expect(second.wait() == .exited(1))
        let words = try ChildProcess.run(["cat", "\(drive.folder.path)/second"])
        #expect(words.contains("\(drive.folder.path)/state: another ipx-car has this state folder"))
        #expect(drive.state()?.phase == "playing")
    }
}
