import Car
import DBus
import DemoKit
import EventLoop
import Library
import Playback
import Testing

@Suite("What the dash shows", .timeLimit(.minutes(1)))
@Core
struct DashTests {
    /// What the car was told, without the status that BlueZ repeats after a seek.
    private func told(_ drive: Drive) async throws -> [CarEvent.Kind] {
        try await drive.settle()
        return drive.car.events.map(\.kind)
    }

    @Test("AV-27 pause and play: each told once, Paused is not Stopped")
    func pauseAndPlay() async throws {
        let drive = try await Drive.underway(showing: .made(.playing, at: 100))
        let place = drive.car.display.position
        drive.show(.made(.paused, at: place))
        drive.show(.made(.paused, at: place))
        try await drive.car.waits { $0.status == "Paused" }
        drive.show(.made(.playing, at: place))
        drive.show(.made(.playing, at: place))
        try await drive.car.waits { $0.status == "Playing" }
        #expect(try await told(drive) == [.status("Paused"), .status("Playing")])
    }

    @Test("AV-27 the next episode of the queue: Playing all along, the new title, and its start from 0 without a seek")
    func autoAdvance() async throws {
        let drive = try await Drive.underway(showing: .made(.playing, .made("One"), at: 3599))
        drive.show(.made(.loading, .made("Two"), at: 0, keepsPlaying: true), jumped: true)
        drive.show(.made(.playing, .made("Two"), at: 0), jumped: true)
        let shown = try await drive.car.waits { $0.title == "Two" }
        #expect(shown.status == "Playing" && shown.position < 1)
        #expect(try await told(drive) == [.trackChanged, .reachedStart])
    }

    @Test("AV-27 a load that takes longer than 2 s is Paused")
    func slowLoad() async throws {
        let drive = try await Drive.underway(showing: .made(.playing, .made("One"), at: 3599))
        drive.show(.made(.loading, .made("Two"), at: 0, keepsPlaying: true), jumped: true)
        let begin = MonotonicClock.now
        // What BlueZ counted meanwhile is taken back.
        try await drive.car.waits { $0.status == "Paused" && $0.position == 0 }
        #expect(MonotonicClock.now - begin > 1.9)
    }

    @Test(
        "PB-23 an episode that goes on in its middle: metadata, status, then one seek, and the dash never shows 0 for long")
    func order() async throws {
        let drive = try await Drive.underway(showing: .made(.paused, .made("One"), at: 10))
        drive.show(.made(.loading, .made("Two"), at: 1800), jumped: true)
        drive.show(.made(.playing, .made("Two"), at: 1800), jumped: true)
        try await drive.car.waits { $0.title == "Two" && $0.position >= 1800 && $0.status == "Playing" }
        let events = try await told(drive)
        #expect(
            events == [
                .trackChanged, .reachedStart, .forwardSeek, .status("Paused"), .status("Playing"),
            ])
    }

    @Test("PB-23 metadata, status, seek in one step")
    func orderAtOnce() async throws {
        let drive = try await Drive.underway(showing: .made(.paused, .made("One"), at: 10))
        drive.show(.made(.playing, .made("Two"), at: 1800), jumped: true)
        try await drive.car.waits { $0.position >= 1800 }
        let events = try await told(drive)
        #expect(
            events == [.trackChanged, .reachedStart, .status("Playing"), .forwardSeek, .status("Playing")])
    }

    @Test("metadata goes out only when its content changed; any metadata is followed by the true position")
    func metadataOnlyWhenChanged() async throws {
        let drive = try await Drive.underway(showing: .made(.playing, .made("One"), at: 100))
        for _ in 0..<5 { drive.show(.made(.playing, .made("One"), at: drive.car.display.position)) }
        #expect(try await told(drive).isEmpty)
        let playing = NowPlaying.made(.playing, .made("One"), at: 100, duration: 3540)
        drive.show(playing)
        let shown = try await drive.car.waits { $0.length == 3540 && $0.position > 0 }
        #expect(shown.error(of: playing) < 1)
        #expect(try await told(drive) == [.trackChanged, .reachedStart, .forwardSeek, .status("Playing")])
    }

    @Test("a seek is told once, forward and back")
    func seek() async throws {
        let drive = try await Drive.underway(showing: .made(.playing, at: 100))
        drive.show(.made(.playing, at: 130), jumped: true)
        try await drive.car.waits { $0.position >= 130 }
        drive.show(.made(.playing, at: 115), jumped: true)
        try await drive.car.waits { $0.position < 130 }
        #expect(
            try await told(drive) == [.forwardSeek, .status("Playing"), .reverseSeek, .status("Playing")])
    }

    @Test("AV-06 a stall of over half a second: Paused at the true place, then Playing from there")
    func stall() async throws {
        let drive = try await Drive.underway(showing: .made(.playing, at: 100))
        drive.show(.made(.buffering, at: 100))
        let begin = MonotonicClock.now
        try await drive.car.waits { $0.status == "Paused" }
        #expect(MonotonicClock.now - begin > 0.4)
        try await drive.car.waits { $0.position == 100 }
        drive.show(.made(.playing, at: 100), jumped: true)
        let shown = try await drive.car.waits { $0.status == "Playing" }
        #expect(shown.position - 100 < 0.3)
    }

    @Test("AV-06 a stall of less than half a second is not shown, and its error does not stay")
    func shortStall() async throws {
        let drive = try await Drive.underway(showing: .made(.playing, at: 100))
        let place = drive.car.display.position
        drive.show(.made(.buffering, at: place))
        try await drive.car.waits { $0.position > place + 0.1 }
        drive.show(.made(.playing, at: place), jumped: true)
        try await drive.car.waits { $0.position < place + 0.1 }
        #expect(try await told(drive) == [.reverseSeek, .status("Playing")])
    }

    @Test("AV-06 at another speed the dash stays within a second, with few seeks", arguments: [1.5, 3, 0.5])
    func otherSpeed(_ rate: Double) async throws {
        let drive = try await Drive.underway(showing: .made(.playing, at: 1000))
        let playing = NowPlaying.made(.playing, at: 1000, rate: rate)
        drive.show(playing, jumped: true)
        try await drive.settle()
        var worst = 0.0
        var lastLook = Drive.now()
        _ = await comesTrue(within: 5) {
            // A look after a pause of this busy machine says nothing of what a car would have seen.
            if Drive.now().seconds(since: lastLook) < 0.1 { worst = max(worst, drive.car.display.error(of: playing)) }
            lastLook = Drive.now()
            return false
        }
        #expect(worst < 1)
        let seeks = drive.car.events.filter { $0.kind == .forwardSeek || $0.kind == .reverseSeek }.count
        #expect(Double(seeks) <= 5 * abs(rate - 1) / 1.2 + 1)
        #expect(seeks > 0)
    }

    @Test("AV-08 a paused position stands still and never passes the length")
    func pausedPosition() async throws {
        let drive = try await Drive.underway(showing: .made(.playing, at: 3600.9))
        drive.show(.made(.paused, at: 3600.9), jumped: true)
        try await drive.car.waits { $0.status == "Paused" && $0.position <= 3600 }
        let get = MethodCall(
            drive.connection.uniqueName, "/net/sdf1/ipxcar/player", "org.freedesktop.DBus.Properties", "Get",
            [.string("org.mpris.MediaPlayer2.Player"), .string("Position")])
        let other = try await Connection.open(.address(drive.bus.address))
        #expect(try await other.call(get) == [.variant(.int64(3_600_000_000))])
    }

    @Test("AV-10 AV-42 after an hour comes an episode of unknown length: the car says unknown, never the former length")
    func unknownLength() async throws {
        let drive = try await Drive.underway(showing: .made(.playing, .made("One"), at: 100))
        drive.show(.made(.playing, .made("Two", duration: nil), at: 0), jumped: true)
        let shown = try await drive.car.waits { $0.title == "Two" }
        #expect(shown.length == nil)
        let opened = NowPlaying.made(.playing, .made("Two", duration: nil), at: 20, duration: 1800)
        drive.show(opened)
        let known = try await drive.car.waits { $0.length == 1800 && $0.position > 0 }
        #expect(known.error(of: opened) < 1)
    }

    @Test(
        "AV-10 a length that was never known is left out; no length or position is ever negative or absurd",
        arguments: [-1, 0, .nan, .infinity, 5_000_000])
    func absurd(_ duration: Seconds) async throws {
        let drive = try await Drive.underway(
            showing: .made(.playing, .made("One", duration: nil), at: -5, duration: duration))
        #expect(drive.car.display.length == nil)
        #expect(drive.car.display.position < 1)
        let metadata = drive.standIn.registrations[0].properties.first { $0.name == "Metadata" }?.value
        #expect(metadata?["mpris:length"] == nil)
    }

    @Test(
        "AV-40 only Playing, Paused and Stopped are ever said",
        arguments: [
            (NowPlaying.Phase.playing, "Playing"), (.paused, "Paused"), (.loading, "Paused"), (.buffering, "Paused"),
            (.error, "Paused"),
        ])
    func words(phase: NowPlaying.Phase, word: String) async throws {
        let drive = try await Drive.underway(showing: .made(phase))
        #expect(drive.car.display.status == word)
        drive.show(.made(.idle, nil, duration: .some(nil)))
        try await drive.car.waits { $0.status == "Stopped" }
    }

    @Test("a message for the driver is the title for a while, then the episode again at its true place")
    func notice() async throws {
        let playing = NowPlaying.made(.playing, at: 100)
        let drive = try await Drive.underway(showing: playing)
        drive.blueZ.notify("No network", for: 0.3)
        try await drive.car.waits { $0.title == "No network" && $0.position > 99 }
        let after = try await drive.car.waits { $0.title == "One" && $0.position > 99 }
        #expect(after.error(of: playing) < 1)
    }

    @Test("the chapter layout follows the chapters by itself")
    func chapters() async throws {
        let episode = Episode.made(
            "One", chapters: [Chapter(start: 0, title: "Intro"), Chapter(start: 100, title: "Talk")])
        let drive = try await Drive.underway()
        drive.blueZ.settings = DashSettings(layout: .chapter)
        let playing = NowPlaying.made(.playing, episode, at: 99.5)
        drive.show(playing, jumped: true)
        try await drive.car.waits { $0.title == "Intro" && $0.artist == "One" && $0.position > 99 }
        let shown = try await drive.car.waits(2) { $0.title == "Talk" && $0.position > 99 }
        #expect(shown.error(of: playing) < 1)
    }

    @Test("without a car's bluetoothd nothing is sent and nobody is woken")
    func nobodyLooks() async throws {
        let drive = try await Drive()
        let other = try await Connection.open(.address(drive.bus.address))
        var signals = 0
        let all = other.subscribe(MatchRule(sender: drive.connection.uniqueName)) { _ in signals += 1 }
        drive.blueZ.attach(to: drive.connection)
        drive.show(.made(.playing, at: 10, rate: 2), jumped: true)
        drive.show(.made(.paused, at: 10), jumped: true)
        _ = try await other.call(
            MethodCall(drive.connection.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping"), timeout: 5)
        #expect(signals == 0)
        all.cancel()
    }
}
