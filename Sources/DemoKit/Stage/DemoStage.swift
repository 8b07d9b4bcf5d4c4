import EventLoop
import Glibc

/// A whole drive on one machine: a server with made-up episodes, a bus with a stand-in BlueZ and a car, a sound server with the
/// car's sink, and the real service as a child. Nothing of the machine is touched but its loudspeaker.
@Core
public final class DemoStage {
    public let server: DemoServer
    public let meter = SoundMeter()
    public let folder: DemoFolder
    public private(set) var isNetworkOn = true
    public var car: StandInCar { blueZ.car }
    public var service: ServiceState? { view.state }
    /// The machine's sound server that plays it too; nil for silence.
    public private(set) var machine: String?

    private let program: String
    private let bus: PrivateBus
    private let blueZ: StandInBlueZ
    private let sound: PrivateSound
    private let view: ServiceView
    private var process: ChildProcess?
    private var sink: String?

    private static let token = "demo-token-of-no-value"
    private static let tunnel = "ipxcar_machine"
    private static let loopback = "loopback"

    /// `program`: the service's binary. Everything is up afterwards but the service and the car.
    public init(_ library: DemoLibrary, program: String, folder: DemoFolder, machine: String? = nil) async throws {
        self.program = program
        self.folder = folder
        var library = library
        folder.readPositions(into: &library)
        server = try DemoServer(library: library, token: DemoStage.token)
        try server.start()
        bus = try PrivateBus()
        blueZ = StandInBlueZ(bus: bus.address)
        try await blueZ.start()
        view = try await ServiceView(bus: bus.address)
        sound = try PrivateSound(rescuesStreams: true)
        try folder.write(server: server.origin, token: DemoStage.token)
        if let machine { joinMachine(machine) }
    }

    /// Turns the key: the service starts and the car is there.
    public func start() throws(DemoError) {
        try startService()
        try carReturns()
    }

    /// The service stores and ends, then all the rest.
    public func end() {
        process?.terminate(grace: 4)
        process = nil
        meter.close()
        folder.keepPositions(of: server.library)
        server.stop()
        view.close()
        blueZ.stop()
        bus.stop()
        sound.stop()
    }

    public var isServiceRunning: Bool { process?.isRunning ?? false }

    /// Does one step, but for waiting, which is the caller's.
    public func perform(_ step: DriveScript.Step) throws(DemoError) {
        switch step {
        case .press(let button): car.press(button)
        case .skip(let seconds): view.skip(by: seconds)
        case .wait: break
        case .carLeaves: carLeaves()
        case .carReturns: try carReturns()
        case .networkGoes: setNetwork(false)
        case .networkReturns: setNetwork(true)
        case .kill:
            process?.kill()
            try startService()
        case .knob(let percent): if let sink { try sound.control("set-sink-volume", sink, "\(percent)%") }
        }
    }

    /// The server's answer to what was heard goes to the folder, so that a killed demo keeps it too.
    public func keepPositions() { folder.keepPositions(of: server.library) }

    private func startService() throws(DemoError) {
        var environment = ChildProcess.environment
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
        environment["PULSE_SERVER"] = sound.server
        for name in ["IPX_CAR_CONFIG", "STATE_DIRECTORY", "CACHE_DIRECTORY", "CREDENTIALS_DIRECTORY", "NOTIFY_SOCKET"] {
            environment[name] = nil
        }
        process = try ChildProcess(
            [
                program, "run", "--config", folder.path + "/ipx-car.conf", "--state", folder.path + "/state",
                "--cache", folder.path + "/cache",
            ], environment: environment, output: .file(folder.log), errors: .file(folder.log))
    }

    /// As the rig saw it: the link first, the sink a moment later.
    private func carReturns() throws(DemoError) {
        guard sink == nil else { return }
        car.connect()
        let name = try sound.addCarSink(address: car.address)
        sink = name
        try meter.open(server: sound.server, sink: name)
        guard machine != nil else { return }
        try sound.load(
            ["module-loopback", "source=\(name).monitor", "sink=\(DemoStage.tunnel)", "latency_msec=100"],
            as: DemoStage.loopback)
    }

    private func carLeaves() {
        guard let sink else { return }
        car.leave()
        meter.close()
        if machine != nil { try? sound.removeSink(DemoStage.loopback) }
        try? sound.removeSink(sink)
        self.sink = nil
    }

    private func setNetwork(_ isOn: Bool) {
        if isOn { try? server.start() } else { server.stop() }
        isNetworkOn = isOn
    }

    /// Without it the demo is the same, only not heard: a machine that refuses is no fault.
    private func joinMachine(_ address: String) {
        let tunnel = ["module-tunnel-sink", "server=\(address)", "sink_name=\(DemoStage.tunnel)"]
        if (try? sound.load(tunnel, as: DemoStage.tunnel)) != nil { machine = address }
    }
}

extension DemoStage {
    /// What is to be drawn now.
    public func picture(note: String? = nil) -> DashPicture {
        DashPicture(
            carName: car.name, isConnected: car.isConnected, display: car.display, service: isServiceRunning ? service : nil,
            isNetworkOn: isNetworkOn, level: meter.level, note: note)
    }
}

extension DemoStage {
    /// The sound server of the machine, if it has one; nothing is started.
    public nonisolated static var machineSound: String? { MachineSound.find() }

    public var logPath: String { folder.log }

    /// Seconds at the server by "show, episode", of those that were ever written.
    public var positions: [String: Double] {
        var found: [String: Double] = [:]
        for show in server.library.shows {
            for episode in show.episodes where episode.updated != nil {
                found["\(show.title), \(episode.title)"] = episode.position
            }
        }
        return found
    }

    /// The same as lines, in the shows' order.
    public var servedPositions: [String] {
        server.library.shows.flatMap { show in
            show.episodes.filter { $0.updated != nil }.map { episode in
                let total = episode.duration.map { " of \(clock($0))" } ?? ""
                return "\(show.title), \(episode.title): \(clock(episode.position))\(total)\(episode.isRead ? ", read" : "")"
            }
        }
    }
}
