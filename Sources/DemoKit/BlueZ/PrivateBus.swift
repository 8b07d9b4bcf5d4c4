import Glibc
import Synchronization

/// A real `dbus-daemon` of our own, with no service files and no policy: everyone may own and call everything.
///
/// Its address goes to `DBUS_SYSTEM_BUS_ADDRESS` of the service under test. It dies with this object.
public final class PrivateBus: Sendable {
    /// As libdbus takes it: `unix:path=…`.
    public let address: String
    private let folder: TemporaryFolder
    private let daemon: Mutex<ChildProcess>

    /// Blocks for the few milliseconds until the daemon listens.
    public init() throws(DemoError) {
        folder = try TemporaryFolder("bus")
        let (daemon, line) = try PrivateBus.start(in: folder)
        self.daemon = Mutex(daemon)
        // Without the guid, which is another after a restart.
        address = String(line.prefix { $0 != "," })
    }

    /// The same without blocking the caller's executor.
    public static func launch() async throws(DemoError) -> PrivateBus { try PrivateBus() }

    private static func start(in folder: TemporaryFolder) throws(DemoError) -> (ChildProcess, String) {
        let output = folder.path + "/address"
        let errors = folder.path + "/log"
        Glibc.remove(output)
        let daemon = try ChildProcess(
            [
                "dbus-daemon", "--config-file=" + (try configuration(in: folder)), "--nofork", "--nopidfile",
                "--nosyslog", "--print-address=1",
            ], output: .file(output), errors: .file(errors))
        return (daemon, try waitForLine(in: output, of: daemon, log: errors))
    }

    deinit { stop() }

    /// The daemon is gone, as if it crashed: every connection is lost.
    public func stop() {
        daemon.withLock { $0.kill() }
        folder.remove()
    }

    /// As if it crashed and came back at its old address.
    public func restart() throws(DemoError) {
        daemon.withLock { $0.kill() }
        Glibc.remove(folder.path + "/socket")
        let (new, _) = try PrivateBus.start(in: folder)
        daemon.withLock { $0 = new }
    }

    /// It hangs: connections stay and nothing is answered, until `thaw()`.
    public func freeze() { daemon.withLock { $0.signal(SIGSTOP) } }

    public func thaw() { daemon.withLock { $0.signal(SIGCONT) } }

    /// Like `--session`, but without service folders: nothing is ever started by a call.
    private static func configuration(in folder: TemporaryFolder) throws(DemoError) -> String {
        let path = folder.path + "/bus.conf"
        let text = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(folder.path)/socket</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*"/>
                <allow receive_sender="*"/>
                <allow user="*"/>
                <allow own="*"/>
              </policy>
            </busconfig>

            """
        try writeBytes(Array(text.utf8), to: path)
        return path
    }

    private static func waitForLine(in file: String, of daemon: ChildProcess, log: String) throws(DemoError) -> String {
        let deadline = MonotonicClock.now + 10
        while daemon.isRunning, MonotonicClock.now < deadline {
            let lines = (readText(file) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            if lines.count > 1 { return String(lines[0]) }
            usleep(1_000)
        }
        throw DemoError("dbus-daemon did not start: \(readText(log) ?? "")")
    }
}
