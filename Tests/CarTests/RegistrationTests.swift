import Car
import DBus
import DemoKit
import EventLoop
import Playback
import Testing

@Suite("Being known to BlueZ", .timeLimit(.minutes(1)))
@Core
struct RegistrationTests {
    @Test("AV-14 the car is there in the middle of an episode: the registration says all at once, in types BlueZ takes")
    func completeState() async throws {
        let playing = NowPlaying.made(.playing, .made("One"), at: 754.321)
        let drive = try await Drive.underway(showing: playing)
        let sent = drive.standIn.registrations[0]
        #expect(sent.error == nil)
        #expect(
            sent.properties.map(\.name) == [
                "PlaybackStatus", "CanControl", "CanPlay", "CanPause", "CanGoNext", "CanGoPrevious", "Identity", "Metadata",
                "Position",
            ])
        let shown = drive.car.display
        #expect(shown.title == "One" && shown.artist == "The Show" && shown.album == "The Show · 2024-05-03")
        #expect(shown.length == 3600 && shown.status == "Playing" && shown.trackNumber == 1)
        #expect(shown.error(of: playing) < 1)
    }

    @Test("AV-01 AV-02 every key has its exact type: artist and genre are lists, length and position microseconds in int64")
    func types() async throws {
        let drive = try await Drive.underway(showing: .made(.paused, .made("One"), at: 754.321))
        let sent = drive.standIn.registrations[0].properties
        #expect(sent.last { $0.name == "Position" }?.value == .int64(754_321_000))
        let metadata = sent.last { $0.name == "Metadata" }?.value
        #expect(
            metadata?.asProperties?.map { "\($0.0) \($0.1.type.text)" } == [
                "xesam:title s", "xesam:artist as", "xesam:album s", "xesam:genre as", "xesam:trackNumber i",
                "mpris:length x",
            ])
        #expect(metadata?["mpris:length"] == .int64(3_600_000_000))
    }

    @Test("AV-15 the five flags are true from the registration on, so every press reaches the player")
    func presses() async throws {
        let drive = try await Drive.underway(showing: .made(.paused))
        for button in CarButton.allCases { #expect(drive.car.press(button) == .player) }
        #expect(await comesTrue { drive.commands.count == 5 })
        #expect(drive.commands == [.play, .pause, .stop, .next, .previous])
        #expect(drive.car.keys.isEmpty)
    }

    @Test("AV-16 nothing to play: a player is registered all the same, Stopped and not blank, and Play arrives")
    func idle() async throws {
        let drive = try await Drive.underway()
        let shown = drive.car.display
        #expect(shown.status == "Stopped")
        #expect(!shown.title.isEmpty && !shown.artist.isEmpty && !shown.album.isEmpty)
        #expect(drive.car.press(.play) == .player)
        #expect(await comesTrue { drive.commands == [.play] })
    }

    @Test("AV-18 the car leaves and comes back: the registration is not touched")
    func carComesAndGoes() async throws {
        let drive = try await Drive.underway(showing: .made(.playing))
        for _ in 0..<3 {
            drive.car.leave()
            drive.car.connect()
        }
        #expect(await comesTrue { drive.cars.count == 7 })
        drive.show(.made(.paused, at: 10), jumped: true)
        try await drive.car.waits { $0.status == "Paused" }
        #expect(drive.standIn.registrations.count == 1)
    }

    @Test("bluetoothd restarts: registered again within 5 s, with the state of now")
    func bluetoothdRestarts() async throws {
        let drive = try await Drive.underway(showing: .made(.playing, at: 100))
        drive.standIn.stop()
        #expect(await comesTrue { !drive.blueZ.isRegistered })
        drive.show(.made(.paused, .made("Two"), at: 200), jumped: true)
        try await drive.standIn.start()
        let shown = try await drive.car.waits { $0.hasPlayer }
        #expect(shown.title == "Two" && shown.status == "Paused" && shown.position == 200)
        #expect(drive.standIn.registrations.count == 2)
    }

    @Test("SYS-01 no bluetoothd for a while: nothing is called, and it is taken up when it comes")
    func lateBlueZ() async throws {
        let drive = try await Drive()
        drive.blueZ.attach(to: drive.connection)
        drive.show(.made(.playing, at: 5), jumped: true)
        #expect(drive.cars.isEmpty && drive.log.isEmpty)
        try await drive.standIn.start()
        drive.car.connect()
        try await drive.car.waits { $0.title == "One" }
        #expect(await comesTrue { drive.cars == [ConnectedCar(address: "AA:BB:CC:DD:EE:FF", name: "Demo Car")] })
    }

    @Test("SYS-02 bluetoothd without an adapter: waits for one; pulled out and back in: registered anew")
    func adapters() async throws {
        let drive = try await Drive()
        try await drive.standIn.start(adapters: [])
        drive.blueZ.attach(to: drive.connection)
        try await drive.settle()
        #expect(drive.standIn.registrations.isEmpty)
        drive.standIn.addAdapter("hci0")
        try await drive.car.waits { $0.hasPlayer }
        drive.standIn.removeAdapter("hci0")
        #expect(await comesTrue { !drive.blueZ.isRegistered })
        drive.standIn.addAdapter("hci0")
        try await drive.car.waits { $0.hasPlayer }
        #expect(drive.standIn.registrations.count == 2)
    }

    @Test("two adapters: registered once on each")
    func twoAdapters() async throws {
        let drive = try await Drive()
        try await drive.standIn.start(adapters: ["hci0", "hci1"])
        drive.blueZ.attach(to: drive.connection)
        #expect(await comesTrue { drive.standIn.registrations.count == 2 })
        drive.car.connect()
        #expect(await comesTrue { !drive.cars.isEmpty })
        #expect(drive.standIn.registrations.map(\.adapter).sorted() == ["hci0", "hci1"])
    }

    @Test("AlreadyExists counts as registered")
    func alreadyExists() async throws {
        let drive = try await Drive()
        drive.standIn.refusal = .error(name: "org.bluez.Error.AlreadyExists", message: "Already Exists")
        try await drive.standIn.start()
        drive.blueZ.attach(to: drive.connection)
        #expect(await comesTrue { drive.blueZ.isRegistered })
        #expect(drive.standIn.registrations.count == 1)
    }

    @Test("another refusal is said once and tried again, ever more slowly")
    func refused() async throws {
        let drive = try await Drive()
        drive.standIn.refusal = .error(name: "org.bluez.Error.Failed", message: "not now")
        try await drive.standIn.start()
        drive.blueZ.attach(to: drive.connection)
        #expect(await comesTrue { drive.standIn.registrations.count == 4 })
        let times = drive.standIn.registrations.map(\.at)
        #expect(times[3] - times[2] > times[1] - times[0])
        #expect(drive.log.filter { $0.contains("refused") }.count == 1)
        drive.standIn.refusal = nil
        try await drive.car.waits { $0.hasPlayer }
    }

    @Test("SYS-07 the policy refuses: said plainly, once, and not asked again at once")
    func denied() async throws {
        let drive = try await Drive()
        drive.standIn.refusal = .accessDenied("Rejected send message")
        try await drive.standIn.start()
        drive.car.connect()
        drive.blueZ.attach(to: drive.connection)
        #expect(await comesTrue { drive.log.contains { $0.contains("policy") } })
        _ = await comesTrue(within: 1.2) { false }
        #expect(drive.standIn.registrations.count == 1)
        #expect(drive.cars.count == 1, "the rest works")
    }

    @Test("the bus is lost and found again: a new connection is registered anew, the car is gone meanwhile")
    func newConnection() async throws {
        let drive = try await Drive.underway(showing: .made(.playing))
        #expect(await comesTrue { drive.cars.count == 1 })
        drive.blueZ.detach()
        drive.connection.close()
        #expect(drive.cars.last == .some(nil))
        #expect(await comesTrue { !drive.car.display.hasPlayer })
        try await drive.reconnect()
        try await drive.car.waits { $0.title == "One" }
        #expect(await comesTrue { drive.cars.last??.name == "Demo Car" })
    }
}
