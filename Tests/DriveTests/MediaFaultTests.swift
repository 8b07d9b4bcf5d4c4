import DemoKit
import Testing

extension FieldFaults {
    @Suite("Bytes that come late, odd or not at all")
    struct Media {
        /// Whether the first episode is heard to its end, marked, and followed by the next one.
        private func hearsToTheEnd(_ drive: Drive, _ ears: MonitorCapture, seconds: Double) async throws {
            try await drive.startWithQueue()
            let wished = try drive.play()
            try await drive.comes(within: 40) { $0.plays("e1") }
            let places = ears.places(0, from: wished)
            #expect(places.first == 0 && (places.last ?? 0) >= seconds - 1)
            #expect(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 }, "heard in its order: \(places)")
            #expect(try await drive.until { drive.isRead("e0") && drive.served("e0") == 0 })
        }

        @Test(
            "PB-05 the server refuses every Range: asked once without, and plays", .timeLimit(.minutes(1)),
            arguments: [406, 416])
        func rangeRefused(status: Int) async throws {
            let drive = try await Drive()
            drive.server.add(Fault(.refuseRange(status: status), on: Drive.media))
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            #expect(drive.requests("e0").map { $0.range == nil } == [false, true])
            #expect(drive.state()?.plays("e0") == true)
        }

        @Test(
            "PB-06 chunked, no length anywhere, cut without the last chunk: goes on, and the clean end finishes it",
            .timeLimit(.minutes(1)))
        func chunkedCut() async throws {
            let drive = try await Drive(episodes: [8, 60])
            drive.change("e0") { $0.duration = nil }
            drive.server.faults = [
                Fault(.ignoreRange, on: "/media/f1/e0*"), Fault(.cut(afterBytes: 32_000), on: "/media/f1/e0*", times: 1),
                Fault(.chunked(lastChunk: false), on: "/media/f1/e0*", times: 1),
                Fault(.chunked(lastChunk: true), on: "/media/f1/e0*", after: 1),
            ]
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await hearsToTheEnd(drive, ears, seconds: 8)
            #expect(drive.requests("e0").count == 2)
        }

        @Test("PB-06 chunked and cut again and again: never an end, not read, no advance", .timeLimit(.minutes(1)))
        func alwaysCut() async throws {
            let drive = try await Drive(episodes: [8, 60])
            drive.server.faults = [
                Fault(.ignoreRange, on: "/media/f1/e0*"), Fault(.cut(afterBytes: 32_000), on: "/media/f1/e0*"),
                Fault(.chunked(lastChunk: false), on: "/media/f1/e0*"),
            ]
            try await drive.startWithQueue()
            try drive.play()
            try await drive.comes { $0.phase == "buffering" && ($0.position ?? 0) > 3 }
            #expect(try await drive.stays(3) { $0.guid == "e0" && $0.phase == "buffering" })
            #expect(!drive.isRead("e0") && drive.requests("e0").count < 8)
        }

        @Test(
            "PB-08 a cover of 8 MB in front of the sound: starts in normal time, has its length, ends at its end",
            .timeLimit(.minutes(1)))
        func cover() async throws {
            let drive = try await Drive(episodes: [60, 60])
            drive.serve(.bytes(try Made.withCover(0, seconds: 60)), as: "e0")
            drive.change("e0") { $0.duration = nil }
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startWithQueue()
            let wished = try drive.play()
            try #require(ears.wait(6, until: { $0.firstSound(after: wished) != nil }), "\(drive.log)")
            let state = try await drive.comes { $0.plays("e0") }
            #expect(abs((state["episode"]?["duration"]?.number ?? 0) - 60) < 0.5)
            try drive.run("seek", "57")
            try await drive.comes { $0.plays("e1") }
            #expect(ears.places(0).last == 59.5)
        }

        @Test("PB-09 m4a with its index at the end, server with Range: plays with a few requests", .timeLimit(.minutes(1)))
        func lateIndex() async throws {
            let drive = try await Drive()
            drive.serve(.file(try Made.lateIndex(0, seconds: 120)), type: "audio/mp4", as: "e0")
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            #expect(ears.places(0).first == 0)
            #expect(drive.requests("e0").count <= 4)
        }

        @Test(
            "PB-09 m4a with its index at the end, server without Range: one download, then it plays; the kept copy without network",
            .timeLimit(.minutes(1)))
        func lateIndexWithoutRange() async throws {
            let drive = try await Drive()
            drive.serve(.file(try Made.lateIndex(0, seconds: 120)), type: "audio/mp4", as: "e0")
            drive.server.faults = [
                Fault(.ignoreRange, on: Drive.media), Fault(.slow(bytesPerSecond: 400_000), on: Drive.media),
            ]
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            #expect(drive.requests("e0").count <= 2)
            #expect(drive.state()?.queued.contains("e1") == true)
            drive.kill()
            drive.server.stop()
            let again = MonotonicClock.now
            try drive.start()
            try #require(ears.wait(until: { $0.soundSeconds(from: again) > 1 }), "\(drive.log)")
            #expect(drive.state()?.plays("e0") == true)
        }

        @Test(
            "PB-10 the answer takes 6 s: loading, told within a second; a second Play starts nothing; Pause then is honoured",
            .timeLimit(.minutes(1)))
        func slowOpen() async throws {
            let drive = try await Drive()
            drive.server.add(Fault(.delay(6), on: Drive.media, times: 1))
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startWithQueue()
            let wished = try drive.play()
            try await drive.comes(within: 1) { $0.phase == "loading" && $0.guid == "e0" }
            try drive.play()
            #expect(await drive.bluez.car.press(.play) == .player)
            try drive.run("pause")
            try await drive.comes(within: 1) { $0.phase == "paused" }
            #expect(try await drive.until { drive.requests("e0").contains { $0.sent > 0 } })
            #expect(MonotonicClock.now - wished >= 6)
            #expect(try await drive.stays(1.5) { $0.phase == "paused" && $0.guid == "e0" })
            #expect(ears.recording.soundSeconds(from: wished) == 0)
            try drive.play()
            try #require(ears.wait(until: { $0.soundSeconds(from: wished) > 1 }), "\(drive.log)")
            #expect(ears.places(0).first == 0 && drive.requests("e0").count == 1)
        }

        @Test(
            "PB-12 AV-06 the server falls silent: waiting within 3 s, Paused on the dash, asked anew within 20 s, on at its place",
            .timeLimit(.minutes(1)))
        func silence() async throws {
            let drive = try await Drive()
            drive.server.add(Fault(.stall(afterBytes: 40_000), on: Drive.media, times: 1))
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            let waits = try await drive.comes { $0.phase == "buffering" }
            let silent = try #require(ears.recording.silence(after: MonotonicClock.now - 4, lasting: 0.01))
            #expect(MonotonicClock.now - silent < 3)
            let place = try #require(waits.position)
            try await drive.bluez.car.waits { $0.status == "Paused" && abs($0.position - place) < 0.1 }
            #expect(try await drive.stays(3) { $0.phase == "buffering" && $0.position == place })
            #expect(abs(await drive.bluez.car.display.position - place) < 0.1, "its clock does not run on")
            try await drive.comes(within: 20) { $0.plays("e0") }
            let times = drive.requests("e0").map(\.time)
            #expect(times.count == 2 && times[1] - times[0] < 20)
            let state = try await drive.comes { ($0.position ?? 0) > place + 1 }
            let shown = await drive.bluez.car.display
            #expect(shown.status == "Playing" && abs(shown.position - (state.position ?? 0)) < 1)
            let places = ears.places(0)
            #expect(
                zip(places, places.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 < 1.1 }, "nothing left out, nothing twice")
            #expect(!drive.isRead("e0"))
        }

        @Test(
            "PB-13 heard to its true end: that one request and no other, none from where the file ends",
            .timeLimit(.minutes(1)))
        func nothingAfterTheEnd() async throws {
            let drive = try await Drive(episodes: [8, 60])
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await hearsToTheEnd(drive, ears, seconds: 8)
            #expect(try await drive.stays(2) { $0.guid == "e1" })
            #expect(drive.requests("e0").map(\.range) == ["bytes=0-"])
        }
    }
}
