import Glibc

/// A real `dbus-daemon` of our own, with no service files and no policy: everyone may own and call everything.
///
/// Its address goes to `DBUS_SYSTEM_BUS_ADDRESS` of the service under test. It dies with this object.
public final class PrivateBus: Sendable {
    /// As libdbus takes it: `unix:path=…,guid=…`.
    public let address: String
    private let folder: TemporaryFolder
    private let daemon: ChildProcess

    /// Blocks for the few milliseconds until the daemon listens.
    public init() throws(DemoError) {
        folder = try TemporaryFolder("bus")
        let output = folder.path + "/address"
        let errors = folder.path + "/log"
        daemon = try ChildProcess(
            [
                "dbus-daemon", "--config-file=" + (try PrivateBus.configuration(in: folder)), "--nofork", "--nopidfile",
                "--nosyslog", "--print-address=1",
            ], output: .file(output), errors: .file(errors))
        address = try PrivateBus.waitForLine(in: output, of: daemon, log: errors)
    }

    deinit { stop() }

    /// The daemon is gone, as if it crashed: every connection is lost.
    public func stop() {
        daemon.kill()
        folder.remove()
    }

    /// It hangs: connections stay and nothing is answered, until `thaw()`.
    public func freeze() { daemon.signal(SIGSTOP) }

    public func thaw() { daemon.signal(SIGCONT) }

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
