import EventLoop
import Library
import Linux
import Playback

/// `ipx-car run`: from reading the configuration to the last push.
@Core
public final class Daemon {
    private let unit: HeadUnit
    private let log: Log
    /// Held for life: two services would both write positions and the parts of one episode.
    private let state: FolderLock
    private var signals: Signals?
    private var watchdog: Alarm?
    private var isStopping = false

    /// Seconds for the last positions to reach the server before the power may go.
    private static let farewell: Seconds = 1

    private init(_ options: RunOptions, _ loaded: LoadedConfiguration, _ log: Log) throws {
        self.log = log
        state = try Self.claim(loaded.folders.state)
        unit = try HeadUnit(options, loaded, log)
    }

    private struct Unusable: Error, CustomStringConvertible { var description: String }

    private static func claim(_ folder: String) throws(Unusable) -> FolderLock {
        do throws(Errno) {
            try Folder.make(folder, mode: 0o750)
            return try FolderLock.take(folder)
        } catch {
            let cause = error == .wouldBlock ? "another ipx-car has this state folder" : error.description
            throw Unusable(description: "\(folder): \(cause)")
        }
    }

    /// Runs until a signal ends it. A configuration or a state folder that can't be used is exit 1, with the reason.
    public nonisolated static func run(_ options: RunOptions) async {
        await begin(options)
        // Everything from here on happens on the core, until `leave`.
        while true { try? await Task.sleep(for: .seconds(86_400)) }
    }

    private static var running: Daemon?

    private static func begin(_ options: RunOptions) {
        do {
            let loaded = try LoadedConfiguration.load(options)
            let log = Log(level: loaded.values.log.level)
            loaded.report(to: log)
            let daemon = try Daemon(options, loaded, log)
            running = daemon
            try daemon.start()
        } catch {
            Log().error("can't start", ["cause": error])
            Ending.now(1)
        }
    }

    private func start() throws(Errno) {
        signals = try Signals { [unowned self] in took($0) }
        ping()
        unit.start { [log] in
            ServiceNotification.ready.send()
            ServiceNotification.status("ready").send()
            log.info("ready", ["version": Version.number])
        }
    }

    /// From the core's own loop: a core that hangs is not alive.
    private func ping() {
        guard let interval = ServiceNotification.watchdogInterval else { return }
        watchdog = Alarm { [unowned self] in
            ServiceNotification.watchdog.send()
            watchdog?.ring(after: Seconds(interval) / 2e9)
        }
        watchdog?.ring(after: 0)
    }

    private func took(_ signal: Signal) {
        switch signal {
        case .hangUp:
            ServiceNotification.reloading.send()
            unit.reload()
            ServiceNotification.ready.send()
        case .terminate, .interrupt: stop()
        }
    }

    private func stop() {
        guard !isStopping else { return }
        isStopping = true
        ServiceNotification.stopping.send()
        unit.player.send(.shutdownRequested)
        let deadline = Alarm { [log] in leave(log) }
        deadline.ring(after: Self.farewell)
        Task { @Core in
            // What the store already has is safe; this only spares the other devices the wait.
            try? await unit.sender.send()
            withExtendedLifetime(deadline) { leave(log) }
        }
    }
}

/// Every record is on the disk by now: nothing of libmpv's or libpulse's threads is waited for.
private func leave(_ log: Log) -> Never {
    log.info("stopped")
    Ending.now(0)
}
