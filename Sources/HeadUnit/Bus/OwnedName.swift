import DBus
import EventLoop
import Linux

/// A well-known name that is ours as long as nobody else has it, on one connection.
@Core
final class OwnedName {
    /// Why it is not ours.
    private(set) var problem: DBusError?

    private let name: String
    private let connection: Connection
    private let log: @Core (String) -> Void
    private var isWanted = true
    private var watch: Subscription?
    private lazy var retry = CoreTimer { [weak self] in self?.request() }

    /// Takes the name at once, or as soon as its owner lets go of it.
    init(_ name: String, on connection: Connection, log: @escaping @Core (String) -> Void) {
        self.name = name
        self.connection = connection
        self.log = log
        request()
        // The first answer may ask once more for what is ours by then; the bus takes that for a yes.
        watch = connection.watchOwner(of: name) { [weak self] owner in
            guard let self, owner != self.connection.uniqueName else { return }
            request()
        }
    }

    func giveUp() {
        isWanted = false
        watch = nil
        retry.set(at: nil)
        let name = name
        let connection = connection
        Task { try? await connection.releaseName(name) }
    }

    private func request() {
        guard isWanted else { return }
        Task { [weak self, connection, name] in
            do throws(DBusError) {
                try await connection.requestName(name)
                self?.taken()
            } catch {
                self?.refused(error)
            }
        }
    }

    private func taken() { problem = nil }

    private func refused(_ error: DBusError) {
        guard isWanted, error != .disconnected else { return }
        if problem != error { log("the name \(name) is not ours: \(error)") }
        problem = error
        // A name that is taken is watched; a policy that refuses is asked again, slowly.
        if case .nameTaken = error { return }
        retry.set(at: Clocks.monotonic() + 60_000_000_000)
    }
}
