import DemoKit
import Testing

extension FieldFaults {
    @Suite("Servers, redirects and pages in between")
    struct Server {
        @Test(
            "NET-03 redirected within the server, for the list and for the file: signed in all the way",
            .timeLimit(.minutes(1)))
        func sameOrigin() async throws {
            let drive = try await Drive()
            drive.server.faults = [
                Fault(.redirect(to: drive.server.origin + "{path}?again=1", status: 301), on: "/api/me", times: 1),
                Fault(.redirect(to: "{path}?again=1", status: 301), on: Drive.media, times: 1),
            ]
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            let followed = drive.server.log.all.filter { $0.request.target.hasSuffix("?again=1") }
            #expect(Set(followed.map(\.path)) == ["/api/me", "/media/f1/e0.mp3"])
            #expect(drive.server.log.all.allSatisfy { $0.credential == .bearer(matches: true) })
        }

        @Test(
            "one episode's file is a web page: with the next one the box is online again, and it plays",
            .timeLimit(.minutes(1)))
        func pageForOneEpisode() async throws {
            let drive = try await Drive()
            drive.server.add(Fault(.html(), on: "/media/f1/e0.*"))
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startWithQueue()
            try drive.play()
            try await drive.comes { $0.network == "offline" }
            let wished = MonotonicClock.now
            try drive.run("select", "f1/e1")
            try await drive.comes { $0.guid == "e1" && $0.phase == "playing" && $0.network == "online" }
            try #require(ears.wait(until: { $0.firstSound(after: wished) != nil }))
            #expect(!drive.isRead("e0"))
        }

        @Test("NET-04 off to another server and back again: the token stays dropped", .timeLimit(.minutes(1)))
        func thereAndBack() async throws {
            let drive = try await Drive()
            let other = try DemoServer(library: drive.server.library)
            try other.start()
            defer { other.stop() }
            other.add(Fault(.redirect(to: drive.server.origin + "{path}?back=1")))
            drive.server.add(Fault(.redirect(to: other.origin + "{path}"), on: Drive.media, times: 1))
            try await drive.startWithQueue()
            try drive.play()
            let back = await drive.server.log.first { $0.request.target.hasSuffix("?back=1") }
            #expect(back?.credential == LoggedRequest.Credential.none)
            #expect(other.log.all.allSatisfy { $0.request.headers["authorization"] == nil })
        }

        @Test(
            "NET-05 redirected to itself for ever: 8 hops, then waits longer and longer; same episode, not read",
            .timeLimit(.minutes(1)))
        func loop() async throws {
            let drive = try await Drive()
            drive.server.add(Fault(.redirect(to: nil), on: Drive.media))
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startWithQueue()
            try drive.play()
            #expect(try await drive.until { drive.requests("e0").count >= 18 })
            let times = drive.requests("e0").map(\.time)
            #expect(times[9] - times[8] > 0.3, "the ninth ends an attempt")
            #expect(try await drive.stays(3) { $0.guid == "e0" && $0.phase != "playing" })
            #expect(drive.requests("e0").count <= 5 * 9 && !drive.isRead("e0"))
            let mended = MonotonicClock.now
            drive.server.faults = []
            try #require(ears.wait(40, until: { $0.soundSeconds(from: mended) > 1 }), "\(drive.log)")
            #expect(ears.places(0).first == 0)
        }

        @Test(
            "NET-08 a sign-in page instead of the episode, whatever its type: not heard, not kept, not read, tried again",
            .timeLimit(.minutes(1)), arguments: ["text/html", "audio/mpeg"])
        func page(type: String) async throws {
            let drive = try await Drive()
            drive.server.add(Fault(.html(type: type), on: Drive.media))
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startWithQueue()
            let wished = try drive.play()
            #expect(try await drive.until { drive.requests("e0").count >= 2 })
            let state = try await drive.comes { $0.network == "offline" }
            #expect(state.guid == "e0" && state.phase != "playing")
            #expect(ears.recording.soundSeconds(from: wished) == 0 && !drive.isRead("e0"))
            #expect(try ChildProcess.run(["find", "\(drive.folder.path)/cache", "-type", "f", "-size", "+0"]) == "")
            drive.server.faults = []
            try #require(ears.wait(30, until: { $0.soundSeconds(from: wished) > 1 }), "\(drive.log)")
            #expect(ears.places(0).first == 0)
        }

        @Test(
            "NET-10 a list that is none leaves the former one standing, and what was heard waits", .timeLimit(.minutes(1)),
            arguments: ["page", "half", "empty"])
        func badList(kind: String) async throws {
            let drive = try await Drive(episodes: [120, 60, 60])
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            drive.server.add(Fault(.status(503), on: "/api/entries/*", method: "PUT"))
            try await drive.startPlaying(heardBy: ears)
            try drive.run("pause")
            drive.kill()
            let faults: [String: Fault.Kind] = ["page": .html(), "half": .halfJSON, "empty": .emptyList]
            drive.server.faults = [
                Fault(try #require(faults[kind]), on: kind == "empty" ? "/api/entries/unread" : "/api/*", method: "GET")
            ]
            drive.server.log.clear()
            try drive.start()
            #expect(await drive.server.log.wait(for: 1, kind == "empty" ? "/api/entries/unread" : "/api/*", within: 10))
            #expect(try await drive.stays(1) { $0.guid == "e0" && ($0.position ?? 0) > 1 })
            let place = try #require(drive.state()?.position)
            drive.server.faults = []
            #expect(try await drive.until(within: 20) { abs(drive.served("e0") - place) < 0.5 }, "\(drive.log)")
            try await drive.comes { $0.queued == ["e1", "e2"] }
        }

        @Test(
            "NET-11 the sign-in runs out in mid-episode: plays what is there, then waits at its place and says so; no loop",
            .timeLimit(.minutes(1)))
        func signInGone() async throws {
            let drive = try await Drive()
            drive.server.faults = [
                Fault(.cut(afterBytes: 48_000), on: Drive.media, times: 1), Fault(.status(401), on: Drive.media, after: 1),
            ]
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            let gone = try await drive.comes { $0.network == "signin" }
            #expect(gone.plays("e0"), "what is there plays out")
            let waits = try await drive.comes { $0.phase == "paused" || $0.phase == "buffering" }
            #expect(
                waits.guid == "e0" && (waits.position ?? 0) > 4.5 && waits["message"]?.string?.contains("Sign in") == true)
            #expect(try await drive.stays(3) { $0.position == waits.position && $0.guid == "e0" })
            #expect(drive.requests("e0").count <= 4 && !drive.isRead("e0"))
            drive.server.faults = []
            let again = MonotonicClock.now
            try drive.run("token", "clear", "--state", "\(drive.folder.path)/state")
            if try await drive.state(within: 3, where: { $0.plays("e0") }) == nil { try drive.play() }
            try #require(ears.wait(20, until: { $0.soundSeconds(from: again) > 1 }), "\(drive.log)")
            #expect(abs((ears.places(0, from: again).first ?? 0) - (waits.position ?? 0)) <= 4)
        }

        @Test("NET-13 packed although identity was asked for: heard to the end", .timeLimit(.minutes(1)))
        func packed() async throws {
            let drive = try await Drive(episodes: [8, 60])
            drive.server.faults = [Fault(.ignoreRange, on: "/media/f1/e0*"), Fault(.gzip, on: "/media/f1/e0*")]
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startWithQueue()
            try drive.play()
            try await drive.comes(within: 20) { $0.plays("e1") }
            #expect(ears.places(0).last == 7.5)
            #expect(try await drive.until { drive.isRead("e0") })
            #expect(drive.requests("e0").allSatisfy { $0.request.headers["accept-encoding"] == "identity" })
        }

        @Test("NET-14 Content-Length 0 on audio: no finished episode", .timeLimit(.minutes(1)))
        func nothing() async throws {
            let drive = try await Drive()
            drive.server.add(Fault(.contentLength(0), on: Drive.media))
            try await drive.startWithQueue()
            try drive.play()
            #expect(try await drive.until { !drive.requests("e0").isEmpty })
            #expect(try await drive.stays(4) { $0.guid == "e0" && $0.phase != "playing" })
            #expect(!drive.isRead("e0") && drive.sent("e0").isEmpty && drive.requests("e0").count <= 10)
        }

        @Test(
            "NET-07 the certificate's dates and the clock do not fit: waits for the time, plays what is kept, asks again",
            .timeLimit(.minutes(1)))
        func wrongClock() async throws {
            let drive = try await Drive(episodes: [60, 60])
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            #expect(try await drive.until { drive.requests("e0").contains { $0.isFinished } })
            try drive.run("pause")
            try await drive.comes { $0.phase == "paused" }
            #expect(drive.service?.terminate() == .exited(0))
            let secure = try SecureServer([
                "/api/me": #"{"id":"u1","server":"demo-ipx","name":"x","unread":0}"#,
                "/api/entries/unread?order=oldest&limit=100": #"{"entries":[],"next":null}"#,
            ])
            // As a clock that is years back sees a good certificate.
            try secure.serve(from: "21200101000000Z", to: "21210101000000Z")
            try drive.write(
                "[server]\naddress=\(secure.origin)\nca-file=\(secure.authority)\n[log]\nlevel=debug\n", to: "ipx-car.conf")
            try drive.start()
            try await drive.comes { $0.network == "waiting-for-time" }
            let wished = try drive.play()
            try #require(ears.wait(until: { $0.soundSeconds(from: wished) > 1 }), "\(drive.log)")
            #expect(try #require(drive.state()).network == "waiting-for-time")
            try secure.serve(from: "20200101000000Z", to: "21210101000000Z")
            try await drive.comes(within: 40) { $0.network == "online" }
            #expect(drive.state()?.plays("e0") == true)
        }
    }
}
