import DBus
import DemoKit
import EventLoop
import Glibc
import Testing

/// A whole drive around the real service: an ipx server, a bus with a stand-in BlueZ and a car, a real sound server, and
/// `ipx-car run` as a child. Everything is seen from outside: sound at the car's sink, the bus, the server's log, the files.
final class Drive {
    static let car = "AA:BB:CC:DD:EE:FF"
    static let token = "drive-token-1234"

    let folder: TemporaryFolder
    let server: DemoServer
    let sound: PrivateSound
    let bus: PrivateBus
    let bluez: StandInBlueZ
    let sink: String
    private(set) var service: ChildProcess?

    private let settings: String
    /// Besides the usual ones.
    var extraEnvironment: [String: String] = [:]

    /// `episodes`: seconds of each, in one show, oldest first. `settings`: further lines of the configuration. `hasSink`: whether
    /// the car, which is connected, has its sound. `rescuesStreams`: whether the sound server moves a stream whose sink goes.
    /// Nothing is started yet but the surroundings.
    init(
        episodes: [Double] = [120, 60], serverToken: String? = token, settings: String = "", hasSink: Bool = true,
        rescuesStreams: Bool = false
    ) async throws {
        self.settings = settings
        folder = try TemporaryFolder("drive")
        server = try DemoServer(library: try Drive.library(episodes), token: serverToken)
        try server.start()
        sound = try PrivateSound(rescuesStreams: rescuesStreams)
        bus = try PrivateBus()
        bluez = await StandInBlueZ(bus: bus.address)
        try await bluez.start()
        sink = "bluez_sink.AA_BB_CC_DD_EE_FF.a2dp_sink"
        if hasSink { try sound.addCarSink(address: Drive.car) }
        await bluez.car.connect()
        try write(configuration, to: "ipx-car.conf")
        try write(Drive.token + "\n", to: "token")
    }

    deinit {
        service?.kill()
        server.stop()
        sound.stop()
        folder.remove()
    }

    private static func library(_ lengths: [Double]) throws -> DemoLibrary {
        let episodes = try lengths.enumerated().map { index, seconds in
            let tone = try ToneEpisode(number: index, seconds: seconds)
            return DemoEpisode(
                guid: "e\(index)", title: "Episode \(index)", published: 1_750_000_000 + Double(index) * 86400,
                duration: seconds,
                enclosures: [DemoEnclosure(name: "f1/e\(index).mp3", content: .file(tone.path))])
        }
        return DemoLibrary(shows: [DemoShow(id: "f1", title: "Tones", episodes: episodes)])
    }

    private var configuration: String {
        """
        [server]
        address=\(server.origin)
        token-file=\(folder.path)/token
        [log]
        level=debug
        \(settings)
        """
    }

    func write(_ text: String, to name: String) throws {
        let path = "\(folder.path)/\(name)"
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw DemoError("cannot write \(path)") }
    }

    var environment: [String: String] {
        [
            "PATH": "/usr/sbin:/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "PULSE_SERVER": sound.server,
        ].merging(sanitizing) { $1 }.merging(extraEnvironment) { $1 }
    }

    /// Where a sanitizer in the program writes to is told by whoever runs the tests.
    private var sanitizing: [String: String] { ChildProcess.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") } }

    /// The program under test, beside the test bundle.
    static var program: String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count)
        let own = String(decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return ChildProcess.environment["IPX_CAR"] ?? own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
            + "/ipx-car"
    }

    /// Turns the key.
    func start(_ arguments: [String] = []) throws { service = try launch(arguments, log: "log") }

    /// A second service by mistake, on the same folders; it writes to `second`.
    func another() throws -> ChildProcess { try launch([], log: "second") }

    private func launch(_ arguments: [String], log: String) throws -> ChildProcess {
        try ChildProcess(
            [
                Drive.program, "run", "--config", "\(folder.path)/ipx-car.conf", "--state", "\(folder.path)/state",
                "--cache", "\(folder.path)/cache",
            ] + arguments,
            environment: environment, output: .discard, errors: .file("\(folder.path)/\(log)"))
    }

    /// Cuts the power.
    func kill() {
        service?.kill()
        service = nil
    }

    /// Runs `ipx-car VERB` against the running service.
    @discardableResult
    func run(_ arguments: String...) throws -> String {
        try ChildProcess.run([Drive.program] + arguments, environment: environment)
    }

    /// The whole state of `status --json`.
    func state() -> JSONValue? {
        (try? run("status", "--json")).flatMap { JSONValue(bytes: Array($0.utf8)) }
    }

    /// Waits until the state is as wished; nil when it did not become so in time.
    func state(within seconds: Double = 10, where fits: (JSONValue) -> Bool) async throws -> JSONValue? {
        let end = MonotonicClock.now + seconds
        while MonotonicClock.now < end {
            if let state = state(), fits(state) { return state }
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    var log: String { (try? ChildProcess.run(["cat", "\(folder.path)/log"])) ?? "" }
}

extension JSONValue {
    var phase: String? { self["phase"]?.string }
    var guid: String? { self["episode"]?["guid"]?.string }
    var position: Double? { self["position"]?.number }
}

extension Drive {
    /// Turns the key, presses Play, and returns when the episode has been heard for two seconds.
    func startPlaying(heardBy ears: MonitorCapture) async throws {
        try start()
        try #require(try await state { !($0["queue"]?.array ?? []).isEmpty } != nil, "\(log)")
        let pressed = MonotonicClock.now
        try run("play")
        try #require(ears.wait(20, until: { $0.soundSeconds(from: pressed) > 2 }), "\(log)")
    }

    func until(within seconds: Double = 10, _ holds: () -> Bool) async throws -> Bool {
        let end = MonotonicClock.now + seconds
        while MonotonicClock.now < end {
            if holds() { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    func mediaSize(_ guid: String) -> Int? {
        guard case .file(let path)? = server.episode("f1", guid)?.enclosures.first?.content else { return nil }
        return (try? ChildProcess.run(["stat", "-c", "%s", path])).flatMap { Int($0.filter(\.isNumber)) }
    }
}
