import DemoKit
import EventLoop
import Testing

extension FieldFaults {
    @Suite("Sound that goes, comes late, or goes elsewhere")
    struct Sound {
        @Test(
            "PB-21 AV-36 connected, but no sound: nothing runs, the place stays, it says so; plays when the sound is there",
            .timeLimit(.minutes(1)))
        func noSink() async throws {
            let drive = try await Drive(hasSink: false)
            drive.change("e0") { $0.position = 60 }
            try await drive.startWithQueue()
            try await drive.comes { $0["car"]?["connected"]?.bool == true && $0["car"]?["sink"]?.bool == false }
            try drive.run("select", "e0")
            try drive.play()
            let state = try await drive.comes { $0.guid == "e0" && $0["message"]?.string != nil }
            #expect(state.phase == "paused" && state.reason == "output-lost" && state.position == 60)
            #expect(try drive.run("status").contains("no audio"))
            #expect(try await drive.stays(2) { $0.phase == "paused" && $0.position == 60 && $0.queued == ["e1"] })
            #expect(!drive.isRead("e0") && drive.sent("e0").isEmpty)
            try drive.sound.addCarSink(address: Drive.car)
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try #require(ears.wait(until: { $0.soundSeconds() > 1 }), "\(drive.log)")
            #expect(abs((ears.places(0).first ?? 0) - 57) <= 3)
        }

        @Test(
            "AV-33 the car's sink goes while playing: paused and stored at once, and the speakers stay silent",
            .timeLimit(.minutes(1)))
        func sinkGoes() async throws {
            let drive = try await Drive(rescuesStreams: true)
            try drive.sound.addSink("speakers")
            try drive.sound.control("set-default-sink", "speakers")
            let speakers = try MonitorCapture(server: drive.sound.server, sink: "speakers")
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            let heard = ears.recording.soundSeconds()
            try drive.sound.removeSink(drive.sink)
            let gone = MonotonicClock.now
            let paused = try await drive.comes(within: 1) { $0.phase == "paused" }
            #expect(abs((paused.position ?? 0) - heard) < 1)
            #expect(speakers.wait(until: { ($0.end ?? 0) > gone + 2 }))
            // A few milliseconds pass between the server's move and our hand on it.
            #expect(speakers.recording.soundSeconds() < 0.1)
            #expect(try await drive.until(within: 3) { abs(drive.served("e0") - (paused.position ?? 0)) < 0.1 })
        }

        @Test(
            "AV-34 AV-35 the car is gone, Play is pressed, then Pause on the phone, then it returns: silent all along",
            .timeLimit(.minutes(1)))
        func pausedWhileAway() async throws {
            let drive = try await Drive()
            let elsewhere = try MonitorCapture(server: drive.sound.server, sink: PrivateSound.silence)
            let ears = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            try await drive.startPlaying(heardBy: ears)
            try await drive.carLeaves()
            try await drive.comes { $0.reason == "car-lost" }
            let onlooker = try await Onlooker(drive.bus.address)
            try drive.play()
            try await onlooker.call("Play")
            #expect(try await drive.stays(1) { $0.phase == "paused" })
            try drive.run("pause")
            let paused = try await drive.comes { $0.reason == "driver" }
            try await drive.carReturns()
            try await drive.comes { $0["car"]?["sink"]?.bool == true }
            let again = try MonitorCapture(server: drive.sound.server, sink: drive.sink)
            #expect(try await drive.stays(2) { $0.phase == "paused" && $0.position == paused.position })
            #expect(again.recording.soundSeconds() == 0 && elsewhere.recording.soundSeconds() == 0)
        }

        @Test("AV-38 a new car starts at 40 %, its knob is followed, and it comes back no louder", .timeLimit(.minutes(1)))
        func volume() async throws {
            let drive = try await Drive()
            try drive.sound.control("set-sink-volume", drive.sink, "100%")
            try await drive.startWithQueue()
            try await drive.comes { $0["volume"]?.number == 40 }
            #expect(try drive.sound.control("get-sink-volume", drive.sink).contains(" 40%"))
            // The driver's hand counts once the car has settled.
            #expect(try await drive.stays(2.5) { $0["volume"]?.number == 40 })
            try drive.sound.control("set-sink-volume", drive.sink, "30%")
            try await drive.comes { $0["volume"]?.number == 30 }
            try await drive.carLeaves()
            try await drive.comes { $0["car"]?["sink"]?.bool == false }
            try await drive.carReturns()
            try drive.sound.control("set-sink-volume", drive.sink, "100%")
            try await drive.comes { $0["volume"]?.number == 30 }
            #expect(
                try await drive.until { (try? drive.sound.control("get-sink-volume", drive.sink).contains(" 30%")) == true })
        }
    }
}
