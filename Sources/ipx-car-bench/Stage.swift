import DemoKit
import Glibc

/// What the players are measured on: one sound server with the car's sink, one bus with a stand-in BlueZ, one server with an
/// episode, and the same file on the disk.
final class Stage {
    static let car = "AA:BB:CC:DD:EE:FF"
    let folder: TemporaryFolder
    let sound: PrivateSound
    let bus: PrivateBus
    let bluez: StandInBlueZ
    let server: DemoServer
    let sink: String
    let episode: ToneEpisode

    init() async throws {
        folder = try TemporaryFolder("bench")
        sound = try PrivateSound()
        bus = try PrivateBus()
        bluez = await StandInBlueZ(bus: bus.address)
        try await bluez.start()
        sink = try sound.addCarSink(address: Stage.car)
        await bluez.car.connect()
        episode = try ToneEpisode(number: 1, seconds: 600)
        let enclosure = DemoEnclosure(name: "f1/e1.mp3", content: .file(episode.path))
        let entry = DemoEpisode(guid: "e1", title: "Bench", duration: 600, enclosures: [enclosure])
        server = try DemoServer(library: DemoLibrary(shows: [DemoShow(id: "f1", title: "Bench", episodes: [entry])]))
        try server.start()
        writeText("[server]\naddress=\(server.origin)\n", to: folder.path + "/ipx-car.conf")
    }

    deinit {
        server.stop()
        sound.stop()
        folder.remove()
    }

    var environment: [String: String] {
        [
            "PATH": "/usr/sbin:/usr/bin:/bin", "HOME": folder.path, "DBUS_SYSTEM_BUS_ADDRESS": bus.address,
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "PULSE_SERVER": sound.server,
        ]
    }

    /// `ipx-car run` as installed, release build.
    func service(_ program: String) -> Subject {
        Subject(
            name: "ipx-car",
            arguments: [
                program, "run", "--config", folder.path + "/ipx-car.conf", "--state", folder.path + "/state", "--cache",
                folder.path + "/cache", "--log-level", "error",
            ], environment: environment, busName: "org.mpris.MediaPlayer2.ipxcar")
    }

    /// mpv without its owner's settings, to the same sink.
    func mpv(_ what: [String], script: Bool = false) -> Subject {
        let plugin = script ? ["--script=/usr/lib/mpv-mpris/mpris.so"] : ["--load-scripts=no"]
        return Subject(
            name: script ? "mpv + mpv-mpris" : "mpv",
            arguments: ["mpv", "--no-config", "--no-terminal", "--no-video", "--ao=pulse", "--audio-device=pulse/\(sink)"]
                + plugin + what,
            environment: environment, busName: script ? "org.mpris.MediaPlayer2.mpv" : nil)
    }

    func clearCache() { _ = try? ChildProcess.run(["rm", "-rf", folder.path + "/cache"]) }
}

func writeText(_ text: String, to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    let bytes = Array(text.utf8)
    _ = write(file, bytes, bytes.count)
}
