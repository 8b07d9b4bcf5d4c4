import CSystemd

/// The service's word to systemd (sd_notify(3)). Without `NOTIFY_SOCKET` everything here does nothing.
public enum ServiceNotification: Sendable {
    case ready
    /// Configuration is being read again; `.ready` ends it. The time lets systemd tell this reload from an older one.
    case reloading
    case stopping
    /// One line for `systemctl status`.
    case status(String)
    case watchdog

    public func send() { sd_notify(0, text) }

    var text: String {
        switch self {
        case .ready: "READY=1"
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Clocks.monotonic() / 1000)"
        case .stopping: "STOPPING=1"
        // A line break would begin another assignment.
        case .status(let words): "STATUS=" + String(words.map { $0.isNewline ? " " : $0 })
        case .watchdog: "WATCHDOG=1"
        }
    }

    /// Nanoseconds after which systemd takes this process for hung (`WATCHDOG_USEC`, `WATCHDOG_PID`); ping twice as often.
    /// Nil: no watchdog, or it is meant for another process.
    public static var watchdogInterval: Int64? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return Int64(clamping: microseconds).multipliedReportingOverflow(by: 1000).partialValue
    }
}
