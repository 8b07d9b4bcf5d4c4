import DBus
import EventLoop
import Linux

/// The connection to the bus, opened again with ever longer waits whenever it is missing. A box without a bus plays on.
@Core
final class SystemBus {
    /// There is a connection: everything that lives on the bus goes there.
    var onConnected: (@Core (Connection) -> Void)?
    /// It is gone, and will be told anew.
    var onLost: (@Core () -> Void)?
    private(set) var connection: Connection?

    private let address: BusAddress
    private let log: @Core (String) -> Void
    private var isWanted = false
    private var isOpening = false
    private var wait = shortest
    private lazy var retry = CoreTimer { [weak self] in self?.openSoon() }

    /// Seconds between two attempts.
    private static let shortest = 0.25
    private static let longest = 15.0

    init(_ address: BusAddress = .system, log: @escaping @Core (String) -> Void) {
        self.address = address
        self.log = log
    }

    /// Connects, and goes on trying until `stop`. `tried` is called after the first attempt (3 s at most), with or without a
    /// bus: nothing waits for one.
    func start(tried: @escaping @Core () -> Void = {}) {
        isWanted = true
        Task {
            await open()
            tried()
        }
    }

    /// Sends what waits and leaves the bus for good.
    func stop() {
        isWanted = false
        retry.set(at: nil)
        connection?.flush()
        connection?.close()
        connection = nil
    }

    private func openSoon() { Task { await open() } }

    private func open() async {
        guard isWanted, connection == nil, !isOpening else { return }
        isOpening = true
        defer { isOpening = false }
        do {
            take(try await Connection.open(address, timeout: 3))
        } catch {
            if wait == Self.shortest { log("no bus: \(error)") }
            again()
        }
    }

    private func take(_ new: Connection) {
        guard isWanted else { return new.close() }
        // Lost between its Hello and now: nobody would tell.
        guard new.isConnected else { return again() }
        wait = Self.shortest
        connection = new
        new.onLost = { [weak self] in self?.lost() }
        onConnected?(new)
    }

    private func lost() {
        log("the bus is gone")
        connection = nil
        onLost?()
        again()
    }

    private func again() {
        guard isWanted else { return }
        retry.set(at: Clocks.monotonic() + Int64(wait * 1e9))
        wait = min(wait * 2, Self.longest)
    }
}
