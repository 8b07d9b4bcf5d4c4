import EventLoop
import Library
import Linux
import Storage

/// This boot's idea of the server's time, and what it owes to the records made before it was known.
@Core
final class BootClock {
    private(set) var server: ServerClock
    private let store: Store
    private let log: Log

    init(store: Store, log: Log) {
        self.store = store
        self.log = log
        let boot = (try? Clocks.bootID()) ?? "unknown"
        server = ServerClock(boot: boot, lastTrusted: (try? store.lastTrusted()) ?? nil)
    }

    /// A believable answer had this date.
    func heard(_ date: WallTime, at moment: Instant) {
        let wasKnown = server.isKnown
        server.heard(date, at: moment)
        do throws(Failure) {
            if !wasKnown { try store.settleStamps(by: server) }
            if let now = server.time(at: monotonicNow()) { try store.trust(now) }
        } catch {
            log.error("the server's time is not stored", ["cause": error])
        }
    }
}
