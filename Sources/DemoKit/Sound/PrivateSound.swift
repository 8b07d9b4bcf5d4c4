import Glibc
import Synchronization

/// A real PulseAudio server of our own: no configuration of the machine, no hardware, no bus, works as root.
///
/// Its default sink is the silent null sink `ipxcar_silence`, so that a stream which loses its sink is heard nowhere. The car is
/// a null sink named and described as PulseAudio's Bluetooth module would. Calls block for a few milliseconds.
public final class PrivateSound: Sendable {
    public static let silence = "ipxcar_silence"

    /// For `PULSE_SERVER`, `[audio] server=` and `pactl --server`.
    public let server: String
    /// The server's log (standard error), for a failing test.
    public let log: String

    private let folder: TemporaryFolder
    private let state: Mutex<State>

    private struct State {
        var process: ChildProcess?
        var modules: [String: String] = [:]
    }

    /// `rescuesStreams`: whether a stream whose sink vanishes is moved to the default sink (PulseAudio's default) or killed.
    public init(rescuesStreams: Bool = false) throws(DemoError) {
        folder = try TemporaryFolder("sound")
        server = "unix:\(folder.path)/native"
        log = folder.path + "/log"
        state = Mutex(State())
        for name in ["run", "state", "home"] { mkdir("\(folder.path)/\(name)", 0o700) }
        let settings = "rescue-streams = \(rescuesStreams ? "yes" : "no")\nflat-volumes = no\nenable-shm = no\n"
        try writeBytes(Array(settings.utf8), to: folder.path + "/daemon.conf")
        try writeBytes(Array(script.utf8), to: folder.path + "/script.pa")
        try restart()
    }

    deinit { stop() }

    /// SIGKILL: as if the sound server crashed. Sinks are gone with it.
    public func kill() {
        state.withLock {
            $0.process?.kill()
            $0.process = nil
            $0.modules = [:]
        }
        unlink(socket)
    }

    /// It hangs: connections stay, nothing is answered, until `kill()` or `thaw()`.
    public func freeze() { state.withLock { $0.process?.signal(SIGSTOP) } }

    public func thaw() { state.withLock { $0.process?.signal(SIGCONT) } }

    /// A fresh server at the same address with no sink but the silent one; returns when it answers.
    public func restart() throws(DemoError) {
        kill()
        let process = try ChildProcess(arguments, environment: environment, output: .file(log), errors: .file(log))
        state.withLock { $0.process = process }
        let deadline = MonotonicClock.now + 10
        while !answers {
            guard process.isRunning, MonotonicClock.now < deadline else {
                throw DemoError("pulseaudio did not start: \(readText(log) ?? "")")
            }
            usleep(2_000)
        }
    }

    /// The server and its folder are gone.
    public func stop() {
        kill()
        folder.remove()
    }

    /// The sink that a connected car has; its name. `address` is `AA:BB:CC:DD:EE:FF`.
    @discardableResult
    public func addCarSink(address: String) throws(DemoError) -> String {
        let name = "bluez_sink.\(address.split(separator: ":").joined(separator: "_")).a2dp_sink"
        try addSink(
            name,
            properties: ["device.string": address, "device.bus": "bluetooth", "device.api": "bluez"])
        return name
    }

    /// A null sink at 44.1 kHz stereo. As a Bluetooth sink it takes nothing back that it was given, and is a few hundredths of a second
    /// ahead of the ear, not the two seconds of a usual null sink: what its monitor says is then true to the moment.
    public func addSink(_ name: String, properties: [String: String] = [:]) throws(DemoError) {
        let list = properties.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        var module = ["module-null-sink", "sink_name=\(name)", "rate=44100", "channels=2", "norewinds=1"]
        if !list.isEmpty { module.append("sink_properties=\"\(list)\"") }
        try load(module, as: name)
    }

    public func removeSink(_ name: String) throws(DemoError) {
        guard let index = state.withLock({ $0.modules.removeValue(forKey: name) }) else {
            throw DemoError("no sink \(name) was added")
        }
        _ = try control("unload-module", index)
    }

    /// Loads any module; `name` is for `removeSink`.
    public func load(_ module: [String], as name: String) throws(DemoError) {
        let index = try control(["load-module"] + module).filter { !$0.isWhitespace }
        state.withLock { $0.modules[name] = index }
    }

    /// `pactl` against this server; what it printed.
    @discardableResult
    public func control(_ arguments: String...) throws(DemoError) -> String { try control(arguments) }

    private func control(_ arguments: [String]) throws(DemoError) -> String {
        try ChildProcess.run(["pactl", "--server", server] + arguments, environment: environment)
    }

    private var socket: String { folder.path + "/native" }

    private var answers: Bool {
        access(socket, F_OK) == 0 && (try? control("info")) != nil
    }

    private var arguments: [String] {
        [
            "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disallow-exit",
            "--realtime=no", "--high-priority=no", "--log-target=stderr", "--log-level=notice", "-F",
            folder.path + "/script.pa",
        ]
    }

    // The default is set by name, or a Bluetooth sink would take its place. The protocol module comes last: who can connect
    // finds all the rest done.
    private var script: String {
        """
        load-module module-null-sink sink_name=\(PrivateSound.silence) rate=44100 channels=2 norewinds=1
        set-default-sink \(PrivateSound.silence)
        load-module module-native-protocol-unix socket=\(socket) auth-anonymous=1 auth-cookie-enabled=0

        """
    }

    private var environment: [String: String] {
        [
            "PATH": ChildProcess.environment["PATH"] ?? "/usr/bin:/bin",
            "HOME": folder.path + "/home",
            "PULSE_RUNTIME_PATH": folder.path + "/run",
            "PULSE_STATE_PATH": folder.path + "/state",
            "PULSE_CONFIG": folder.path + "/daemon.conf",
            // No bus: neither the machine's nor one started for us.
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent",
            "LC_ALL": "C.UTF-8",
        ]
    }
}
