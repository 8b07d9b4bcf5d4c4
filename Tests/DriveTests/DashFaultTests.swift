import DBus
import DemoKit
import EventLoop
import Testing

extension FieldFaults {
    @Suite("What the car is told, and what it presses")
    struct Dash {
        @Test(
            "AV-01 AV-02 AV-14 AV-15 AV-40 registered in mid-episode: the whole state at once, every key of its exact type",
            .timeLimit(.minutes(1)))
        func registration() async throws {
            let drive = try await Drive()
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            await drive.bluez.addAdapter("hci1")
            let bluez = drive.bluez
            #expect(await comesTrue { bluez.registrations.contains { $0.adapter == "hci1" } })
            let sent = try #require(await drive.bluez.registrations.last)
            #expect(sent.adapter == "hci1" && sent.error == nil)
            let value = { (name: String) in sent.properties.last { $0.name == name }?.value.unwrapped }
            #expect(value("PlaybackStatus") == .string("Playing"))
            for flag in ["CanControl", "CanPlay", "CanPause", "CanGoNext", "CanGoPrevious"] {
                #expect(value(flag) == .boolean(true), "\(flag)")
            }
            let metadata = try #require(value("Metadata"))
            #expect(metadata["xesam:title"] == .string("Episode 0"))
            #expect(metadata["xesam:artist"] == .strings(["Tones"]))
            #expect(metadata["xesam:genre"]?.asStrings?.count == 1)
            guard case .int64(let length)? = metadata["mpris:length"], case .int64(let place)? = value("Position") else {
                Issue.record("\(sent.properties)")
                return
            }
            #expect(abs(length - 120_000_000) < 200_000)
            #expect(place > 1_000_000 && place < 20_000_000)
            #expect(value("LoopStatus").map { ["None", "Track", "Playlist"].contains($0.asString) } ?? true)
        }

        @Test("AV-06 at 1.5 times the speed the dash is never a second off for 8 s", .timeLimit(.minutes(1)))
        func speed() async throws {
            let drive = try await Drive(settings: "[player]\nrate=1.5")
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            let begun = try #require(drive.state()?.position)
            let start = MonotonicClock.now
            var worst = 0.0
            while MonotonicClock.now < start + 8 {
                let before = MonotonicClock.now
                let shown = await drive.bluez.car.display
                // A look that took long says nothing of what a car would have seen.
                if MonotonicClock.now - before < 0.1, let heard = ToneCode.reading(ears.recording, at: shown.at - 0.1) {
                    // The tones name the half second that sounds; the dash may be anywhere within it.
                    worst = max(worst, heard.position - shown.position, shown.position - heard.position - 0.5)
                }
                try await Task.sleep(for: .milliseconds(40))
            }
            #expect(worst < 1)
            #expect(abs((drive.state()?.position ?? 0) - begun - 1.5 * (MonotonicClock.now - start)) < 0.7)
        }

        @Test("AV-08 paused: MPRIS, the dash and the state stand at one place, at the end too", .timeLimit(.minutes(1)))
        func pausedPlace() async throws {
            let drive = try await Drive(episodes: [60, 60])
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            let onlooker = try await Onlooker(drive.bus.address)
            try await drive.startPlaying(heardBy: ears)
            try drive.run("pause")
            let first = try await drive.comes { $0.phase == "paused" }
            let early = try #require(try await onlooker.get("Position")?.asInt64)
            #expect(try await drive.stays(1.5) { $0.position == first.position })
            #expect(try await onlooker.get("Position") == .int64(early))
            #expect(abs(Double(early) / 1e6 - (first.position ?? 0)) < 0.01)
            try drive.run("seek", "59.9")
            let last = try await drive.comes { ($0.position ?? 0) > 50 }
            #expect(last.guid == "e0" && (last.position ?? 99) <= 60.1)
            #expect(try #require(try await onlooker.get("Position")?.asInt64) <= 60_100_000)
            try await drive.bluez.car.waits { $0.position > 50 && $0.position <= 60.1 && $0.status == "Paused" }
        }

        @Test(
            "AV-10 AV-42 after a minute-long episode comes one of unknown length: unknown everywhere, never the former's",
            .timeLimit(.minutes(1)))
        func unknownLength() async throws {
            let drive = try await Drive(episodes: [60, 60])
            drive.serve(.file(try Made.withoutLength(1, seconds: 60)), as: "e1")
            drive.change("e1") { $0.duration = nil }
            drive.server.faults = [
                Fault(.ignoreRange, on: "/media/f1/e1*"), Fault(.chunked(lastChunk: true), on: "/media/f1/e1*"),
                Fault(.slow(bytesPerSecond: 30_000), on: "/media/f1/e1*"),
            ]
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            let onlooker = try await Onlooker(drive.bus.address)
            try await drive.startPlaying(heardBy: ears)
            try await drive.bluez.car.waits { abs(($0.length ?? 0) - 60) < 0.5 }
            let car = await drive.bluez.car
            async let lies = car.waits(4) {
                $0.title == "Episode 1" && $0.length.map { $0 > 59 } == true && $0.position < 1
            }
            try drive.run("select", "e1")
            let state = try await drive.comes { $0.plays("e1") && ($0.position ?? 0) > 0.5 }
            #expect(state["episode"]?["duration"] == .null)
            let shown = await drive.bluez.car.display
            #expect(shown.title == "Episode 1" && shown.length == nil)
            let length = try await onlooker.get("Metadata")?["mpris:length"]?.asInt64
            #expect(length.map { $0 >= 0 } ?? true)
            #expect((try? await lies) == nil)
            #expect(drive.state()?.plays("e1") == true && !drive.isRead("e1"))
        }

        @Test(
            "AV-12 AV-13 a title of 4000 characters fits the dash; an empty one falls back to the show's",
            .timeLimit(.minutes(1)))
        func titles() async throws {
            let drive = try await Drive()
            let long = String(repeating: "界", count: 4000)
            drive.change("e0") { $0.title = long }
            drive.change("e1") { $0.title = "" }
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            let shown = await drive.bluez.car.display
            #expect(
                shown.title.utf8.count <= 250 && shown.title.utf8.count > 200
                    && shown.title.allSatisfy { $0 == "界" || $0 == "…" })
            #expect(drive.state()?["episode"]?["title"]?.string == long)
            try drive.run("select", "f1/e1")
            try await drive.comes { $0.plays("e1") }
            let next = try await drive.bluez.car.waits { !$0.title.contains("界") }
            #expect(next.title.hasPrefix("Tones") && next.title.count > 6 && next.artist == "Tones")
        }

        @Test(
            "AV-16 an empty queue: a player is there all the same, Stopped, and Play changes nothing",
            .timeLimit(.minutes(1)))
        func idle() async throws {
            let drive = try await Drive(episodes: [])
            try drive.start()
            try await drive.comes { $0.network == "online" && $0.phase == "idle" }
            let shown = await drive.bluez.car.display
            #expect(shown.hasPlayer && shown.status == "Stopped" && !shown.title.isEmpty)
            #expect(await drive.bluez.car.press(.play) == .player)
            #expect(try await drive.stays(1) { $0.phase == "idle" && $0.guid == nil })
            #expect(await drive.bluez.car.display.status == "Stopped")
        }

        @Test(
            "AV-18 AV-23 the car comes back after the driver's pause: not registered anew, its own Play is held, a second counts",
            .timeLimit(.minutes(1)))
        func heldPlay() async throws {
            let drive = try await Drive()
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            await drive.bluez.car.press(.pause)
            let paused = try await drive.comes { $0.phase == "paused" }
            try await drive.carLeaves()
            try await drive.comes { $0["car"]?["connected"]?.bool == false }
            try await drive.carReturns()
            try await drive.comes { $0["car"]?["sink"]?.bool == true && $0["car"]?["connected"]?.bool == true }
            let again = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            #expect(await drive.bluez.car.press(.play) == .player)
            #expect(try await drive.stays(1.5) { $0.phase == "paused" && $0.position == paused.position })
            #expect(again.recording.soundSeconds() == 0)
            await drive.bluez.car.press(.play)
            try await drive.comes { $0.plays("e0") }
            #expect(await drive.bluez.registrations.count == 1)
        }

        @Test(
            "AV-22 Pause while paused stays paused; in a car whose one key sends only that, it plays",
            .timeLimit(.minutes(1)),
            arguments: ["off", "pause"])
        func oneKey(key: String) async throws {
            let drive = try await Drive(settings: "[car]\ntoggle-key=\(key)")
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            await drive.bluez.car.press(.pause)
            try await drive.comes { $0.phase == "paused" }
            // Within 50 ms it would be the same press twice.
            #expect(try await drive.stays(0.3) { $0.phase == "paused" })
            await drive.bluez.car.press(.pause)
            if key == "off" {
                #expect(try await drive.stays(1.5) { $0.phase == "paused" })
            } else {
                try await drive.comes { $0.plays("e0") }
            }
        }

        @Test("AV-25 PlayPause twice within 50 ms is one press; Pause by two ways pauses", .timeLimit(.minutes(1)))
        func twice() async throws {
            let drive = try await Drive()
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            let onlooker = try await Onlooker(drive.bus.address)
            try await drive.startPlaying(heardBy: ears)
            try await onlooker.callTwice("PlayPause")
            try await drive.comes { $0.phase == "paused" }
            #expect(try await drive.stays(1) { $0.phase == "paused" })
            try await onlooker.call("Play")
            try await drive.comes { $0.phase == "playing" }
            await drive.bluez.car.press(.pause)
            try await onlooker.call("Pause")
            #expect(try await drive.stays(1) { $0.phase == "paused" })
        }

        @Test("AV-27 paused from the wheel: Paused, never Stopped, and told once", .timeLimit(.minutes(1)))
        func pausedOnce() async throws {
            let drive = try await Drive()
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            let onlooker = try await Onlooker(drive.bus.address)
            try await drive.startPlaying(heardBy: ears)
            await onlooker.forget()
            await drive.bluez.car.forgetEvents()
            await drive.bluez.car.press(.pause)
            try await drive.bluez.car.waits { $0.status == "Paused" }
            #expect(try await drive.stays(1) { $0.phase == "paused" })
            #expect(await onlooker.words.map(\.text).filter { !$0.hasPrefix("Seeked") } == ["Paused"])
            let statuses = await drive.bluez.car.events.compactMap {
                if case .status(let word) = $0.kind { word } else { nil }
            }
            #expect(Set(statuses) == ["Paused"])
        }
    }
}
