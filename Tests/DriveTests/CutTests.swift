import DemoKit
import Testing

@Suite("What a drive does to the box and its network", .serialized)
struct CutTests {
    @Test("POS-16 the power is cut after 65 s of play: the same episode goes on at 55 s or later", .timeLimit(.minutes(3)))
    func cutAfterAMinute() async throws {
        let drive = try await Drive(episodes: [180, 60])
        let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
        try await drive.startPlaying(heardBy: ears)
        try #require(try await drive.state(within: 80) { ($0.position ?? 0) >= 65 } != nil, "\(drive.log)")
        drive.kill()
        let again = MonotonicClock.now
        try drive.start()
        let state = try #require(try await drive.state { $0.phase == "playing" }, "\(drive.log)")
        #expect(state.guid == "e0")
        #expect((state.position ?? 0) >= 55)
        try #require(ears.wait(until: { $0.soundSeconds(from: again) > 1 }))
        let heard = try #require(ears.recording.firstSound(after: again))
        let reading = try #require(ToneCode.reading(ears.recording, at: heard + 0.6))
        #expect(reading.episode == 0 && reading.position >= 54)
        #expect(try await drive.until { (drive.server.episode("f1", "e0")?.position ?? 0) >= 55 })
    }

    @Test(
        "PB-01 the server is cut after 30 % of the body for 20 s: sound goes on after it, the same episode, not read, never back",
        .timeLimit(.minutes(2)))
    func serverCut() async throws {
        let drive = try await Drive(episodes: [40, 60])
        let size = try #require(drive.mediaSize("e0"))
        drive.server.add(Fault(.cut(afterBytes: size * 3 / 10), on: Drive.media, times: 1))
        let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
        try await drive.startWithQueue()
        try drive.play()
        try #require(await drive.server.log.first { $0.path.hasPrefix("/media/") && $0.isFinished } != nil)
        drive.server.stop()
        let gone = MonotonicClock.now
        // All that was told of it from here to well after the server's return.
        var places: [Double] = []
        func look(_ state: JSONValue) {
            #expect(state.guid == "e0")
            places.append(state.position ?? -1)
        }
        let waits = try #require(
            try await drive.state(within: 18) {
                look($0)
                return $0.phase == "buffering"
            }, "\(drive.log)")
        let stood = try #require(waits.position)
        #expect(abs(stood - 12) < 0.5, "30 % of 40 s were there, and all of it was heard")
        #expect(
            try await drive.stays(gone + 20 - MonotonicClock.now) {
                look($0)
                return $0.position == stood && $0.phase == "buffering"
            })
        try drive.server.start()
        let back = MonotonicClock.now
        #expect(back - gone >= 20)
        _ = try #require(
            try await drive.state(within: 40) {
                look($0)
                return $0.phase == "playing" && ($0.position ?? 0) > stood + 3
            }, "\(drive.log)")
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 + 0.1 }, "\(places)")
        let later = ears.places(0, from: back)
        #expect(ears.recording.soundSeconds(from: back) > 2)
        #expect(abs((later.first ?? 0) - stood) <= 0.6, "on at its place: \(later.prefix(3))")
        #expect(zip(later, later.dropFirst()).allSatisfy { $0 <= $1 } && ears.places(1).isEmpty)
        #expect(drive.requests("e0").filter { $0.status == 206 }.last?.range == "bytes=\(size * 3 / 10)-")
        #expect(drive.server.episode("f1", "e0")?.isRead == false)
        let sent = drive.sent("e0")
        #expect(zip(sent, sent.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test(
        "NET-01 the media redirects to another origin: the token is seen nowhere but at the server", .timeLimit(.minutes(1)))
    func redirected() async throws {
        let drive = try await Drive()
        let other = try DemoServer(library: drive.server.library)
        try other.start()
        defer { other.stop() }
        drive.server.add(Fault(.redirect(to: other.origin + "{path}"), on: "/media/*"))
        let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
        try await drive.startPlaying(heardBy: ears)
        #expect(!other.log.all.isEmpty)
        #expect(other.log.all.allSatisfy { $0.request.headers["authorization"] == nil })
        #expect(drive.server.log.all.contains { $0.request.headers["authorization"] != nil })
    }

    @Test("NET-01 the API redirects to another origin: the token does not follow", .timeLimit(.minutes(1)))
    func apiRedirected() async throws {
        let drive = try await Drive()
        let other = try DemoServer(library: drive.server.library)
        try other.start()
        defer { other.stop() }
        drive.server.add(Fault(.redirect(to: other.origin + "{path}"), on: "/api/*"))
        try drive.start()
        try #require(await other.log.first(within: 10) { $0.path.hasPrefix("/api/") } != nil, "\(drive.log)")
        #expect(other.log.all.allSatisfy { $0.request.headers["authorization"] == nil })
        #expect(!drive.log.contains(Drive.token))
    }

    @Test(
        "AV-39 the sound server dies while playing: answered within a second, plays again when it is back",
        .timeLimit(.minutes(1)))
    func soundServerDies() async throws {
        let drive = try await Drive()
        let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
        try await drive.startPlaying(heardBy: ears)
        drive.sound.kill()
        let asked = MonotonicClock.now
        #expect(drive.state() != nil)
        #expect(MonotonicClock.now - asked < 1)
        let paused = try #require(try await drive.state { $0.phase == "paused" }, "\(drive.log)")
        try drive.sound.restart()
        _ = try drive.sound.addCarSink(address: Drive.car)
        let playing = try #require(try await drive.state(within: 20) { $0.phase == "playing" }, "\(drive.log)")
        #expect((playing.position ?? 0) >= (paused.position ?? 0) - 4)
        #expect(playing.guid == "e0")
    }
}
