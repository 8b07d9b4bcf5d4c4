import DBus
import EventLoop
import Linux

/// The one connection to the system bus; made again, with growing pauses, whenever it is lost or was never there.
@Core
final class BusLink {
    private let log: Log
    private var connection: Connection?
    private var pause = 1.0
    private var hasSaidMissing = false
    private lazy var alarm = Alarm { [weak self] in self?.connect {} }
    var onConnected: (@Core (Connection) -> Void)?
    var onLost: (@Core () -> Void)?
    /// Asked for when everything is exported.
    var names: [String] = []

    private static let longestPause = 30.0

    init(log: Log) { self.log = log }

    /// `tried` is called after the first attempt, with or without a bus: nothing waits for one.
    func connect(tried: @escaping @Core () -> Void) {
        Task { @Core in
            await self.attempt()
            tried()
        }
    }

    private func attempt() async {
        do throws(DBusError) {
            let connection = try await Connection.open(.system)
            connection.onLost = { [weak self] in self?.lost() }
            self.connection = connection
            pause = 1
            hasSaidMissing = false
            onConnected?(connection)
            await own(connection)
        } catch {
            if !hasSaidMissing { log.error("no system bus, tried again and again", ["cause": error]) }
            hasSaidMissing = true
            later()
        }
    }

    /// A name that is taken is another service's: said with its process; the car is served all the same.
    private func own(_ connection: Connection) async {
        for name in names {
            do throws(DBusError) { try await connection.requestName(name) } catch {
                log.error("the bus name is not ours", ["name": name, "cause": error])
            }
        }
    }

    private func lost() {
        log.error("the system bus is gone")
        connection = nil
        onLost?()
        later()
    }

    private func later() {
        alarm.ring(after: pause)
        pause = min(pause * 2, Self.longestPause)
    }
}
