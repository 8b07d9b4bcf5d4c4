import CDBus
import EventLoop

/// A connection to a message bus, under a unique name. Everything happens on `Core`, in the order the bus sends it.
///
/// It lives until `close()`, the loss of the bus, or the last reference to it. A lost connection does not come back: the owner
/// opens a new one.
@Core
public final class Connection {
    /// Our unique name, `:1.42`.
    public private(set) var uniqueName = ""
    /// The bus is gone. Called once; calls under way have failed with `.disconnected` before.
    public var onLost: (@Core () -> Void)?

    let link: Link
    var calls: [UInt32: PendingCall] = [:]
    var subscriptions: [Subscription.ID: Subscription.Record] = [:]
    var objects: [ObjectPath: [Interface]] = [:]
    var lastSubscription = 0

    private init(_ address: BusAddress) throws(DBusError) {
        link = try Link(address: address.text)
        link.onMessage = { [weak self] in self?.receive($0) }
        link.onLost = { [weak self] in self?.lose() }
    }

    deinit {
        let link = link
        Core.run { link.close() }
    }

    /// Connects, authenticates and says Hello, without blocking the core (but for the `connect` of a local socket).
    /// `timeout`: seconds for Hello.
    public static func open(_ address: BusAddress, timeout: Double = 10) async throws(DBusError) -> Connection {
        let connection = try Connection(address)
        do {
            let hello = MethodCall("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")
            let reply = try await connection.call(hello, timeout: timeout)
            connection.uniqueName = reply.first?.asString ?? ""
            connection.link.setUniqueName(connection.uniqueName)
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    public var isConnected: Bool { link.isConnected }

    /// Ends the connection: names and registrations go with it. `onLost` is not called; calls under way fail.
    public func close() {
        onLost = nil
        link.close()
        failCalls()
    }

    /// Waits until everything sent is written. Blocks: only for the last words of a process.
    public func flush() { link.flush() }

    private func lose() {
        let tell = onLost
        close()
        tell?()
    }

    private func receive(_ message: Message) {
        switch message.kind {
        case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR: finishCall(message)
        case DBUS_MESSAGE_TYPE_SIGNAL: deliver(message)
        case DBUS_MESSAGE_TYPE_METHOD_CALL: answer(message)
        // The specification: unknown types are ignored.
        default: break
        }
    }
}
