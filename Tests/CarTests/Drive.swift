import Car
import DBus
import DemoKit
import EventLoop
import Library
import Linux
import Playback

/// A private bus with a stand-in for bluetoothd, and our side of it on a connection of its own.
@Core
final class Drive {
    let bus: PrivateBus
    let standIn: StandInBlueZ
    let blueZ: BlueZ
    private(set) var connection: Connection
    private(set) var commands: [Command] = []
    private(set) var cars: [ConnectedCar?] = []
    private(set) var log: [String] = []

    var car: StandInCar { standIn.car }

    init() async throws {
        bus = try await PrivateBus.launch()
        standIn = StandInBlueZ(bus: bus.address)
        connection = try await Connection.open(.address(bus.address))
        let lines = Lines()
        blueZ = BlueZ(clock: Drive.now, log: { lines.add($0) })
        lines.drive = self
        blueZ.onCommand = { [weak self] in self?.commands.append($0) }
        blueZ.onCarChange = { [weak self] in self?.cars.append($0) }
    }

    /// bluetoothd runs, the car is connected, our player is registered.
    static func underway(showing now: NowPlaying? = nil) async throws -> Drive {
        let drive = try await Drive()
        drive.car.connect()
        try await drive.standIn.start()
        if let now { drive.blueZ.show(now, jumped: true) }
        drive.blueZ.attach(to: drive.connection)
        try await drive.car.waits { $0.hasPlayer }
        drive.car.forgetEvents()
        return drive
    }

    func show(_ now: NowPlaying, jumped: Bool = false) { blueZ.show(now, jumped: jumped) }

    /// Everything sent so far has arrived at the stand-in, and its answers here.
    func settle() async throws {
        _ = try await connection.call(MethodCall("org.bluez", "/", "org.freedesktop.DBus.Peer", "Ping"), timeout: 5)
    }

    func reconnect() async throws {
        connection = try await Connection.open(.address(bus.address))
        blueZ.attach(to: connection)
    }

    nonisolated static func now() -> Instant { Instant(nanoseconds: Clocks.monotonic()) }

    @Core
    private final class Lines {
        weak var drive: Drive?

        func add(_ line: String) { drive?.log.append(line) }
    }
}

extension CarDisplay {
    /// How far the dash is from the truth, seconds.
    func error(of now: NowPlaying) -> Seconds {
        abs(position - (now.position(at: Instant(nanoseconds: Int64(at * 1e9))) ?? 0))
    }
}

extension Episode {
    /// 3 May 2024, an hour long.
    static func made(
        _ title: String, show: String = "The Show", guid: String? = nil, duration: Seconds? = 3600,
        published: WallTime? = WallTime(milliseconds: 1_714_730_400_000), chapters: [Chapter] = []
    ) -> Episode {
        Episode(
            id: EpisodeID(server: "s", feed: "f", guid: guid ?? title), title: title, feedTitle: show, published: published,
            duration: duration, chapters: chapters)
    }
}

extension NowPlaying {
    static func made(
        _ phase: Phase, _ episode: Episode? = .made("One"), at position: Seconds = 0, rate: Double = 1,
        duration: Seconds?? = nil, keepsPlaying: Bool = false
    ) -> NowPlaying {
        NowPlaying(
            phase: phase, episode: episode, duration: duration ?? episode?.duration, position: position, at: Drive.now(),
            rate: rate, keepsPlaying: keepsPlaying)
    }
}
