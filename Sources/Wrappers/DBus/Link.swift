import CDBus
import EventLoop

/// The C half of a connection: a private `DBusConnection` driven by dispatch sources on `Core.queue`.
///
/// No blocking call of libdbus is used: replies are matched to calls by serial in `Connection`, so libdbus' own timeouts
/// (which serve its pending calls) never arise, and the bus' Hello is an ordinary call. Its callbacks get an unretained pointer:
/// the owner calls `close()`, which takes them all back, before this object can go.
@Core
final class Link {
    /// Every message but libdbus' own answers to `org.freedesktop.DBus.Peer`, in the order they came.
    var onMessage: (@Core (Message) -> Void)?
    /// The other side is gone; comes once, after everything that was received before.
    var onLost: (@Core () -> Void)?

    private var raw: OpaquePointer?
    private var watches: [OpaquePointer: Watch] = [:]
    private var isDraining = false
    private var isDrainScheduled = false

    init(address: String) throws(DBusError) {
        guard !address.utf8.contains(0) else { throw .invalid("an address with a NUL") }
        // Private: shared connections may be closed by nobody and exit the process when they are lost.
        raw = try checked { dbus_connection_open_private(address, $0) }
        dbus_connection_set_exit_on_disconnect(raw, 0)
        let me = Unmanaged.passUnretained(self).toOpaque()
        dbus_connection_set_watch_functions(raw, watchAdded, watchRemoved, watchToggled, me, nil)
        dbus_connection_set_dispatch_status_function(raw, dispatchStatusChanged, me, nil)
        dbus_connection_add_filter(raw, messageReceived, me, nil)
    }

    var isConnected: Bool { raw.map { dbus_connection_get_is_connected($0) != 0 } ?? false }

    /// What the bus calls us; libdbus wants to know it too.
    func setUniqueName(_ name: String) {
        if let raw { dbus_bus_set_unique_name(raw, name) }
    }

    /// Queues the message; written at once as far as the socket takes it. Returns its serial.
    func send(_ message: Message) throws(DBusError) -> UInt32 {
        guard let raw, isConnected else { throw .disconnected }
        var serial: UInt32 = 0
        guard dbus_connection_send(raw, message.raw, &serial) != 0 else { throw .standard("NoMemory", "out of memory") }
        return serial
    }

    /// Blocks until what was sent is written: for the last words of a process.
    func flush() {
        if let raw, isConnected { dbus_connection_flush(raw) }
    }

    /// Nothing is reported afterwards. Must be called before the last reference goes.
    func close() {
        guard let raw else { return }
        self.raw = nil
        onMessage = nil
        onLost = nil
        dbus_connection_remove_filter(raw, messageReceived, Unmanaged.passUnretained(self).toOpaque())
        dbus_connection_set_dispatch_status_function(raw, nil, nil, nil)
        dbus_connection_set_watch_functions(raw, nil, nil, nil, nil, nil)
        dbus_connection_close(raw)
        dbus_connection_unref(raw)
    }

    /// Hands out what has been read. A handler may close the link meanwhile.
    func drain() {
        guard let raw, !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        dbus_connection_ref(raw)
        defer { dbus_connection_unref(raw) }
        while self.raw != nil, dbus_connection_dispatch(raw) == DBUS_DISPATCH_DATA_REMAINS {}
    }

    /// libdbus forbids to dispatch inside its status callback.
    fileprivate func scheduleDrain() {
        guard !isDrainScheduled else { return }
        isDrainScheduled = true
        Core.run { [self] in
            isDrainScheduled = false
            drain()
        }
    }

    fileprivate func add(_ watch: OpaquePointer) {
        watches[watch] = Watch(watch) { [weak self] in self?.drain() }
    }

    fileprivate func remove(_ watch: OpaquePointer) { watches.removeValue(forKey: watch)?.cancel() }

    fileprivate func toggle(_ watch: OpaquePointer) { watches[watch]?.update() }

    fileprivate func receive(_ message: Message) {
        if message.kind == DBUS_MESSAGE_TYPE_SIGNAL, message.path == "/org/freedesktop/DBus/Local" {
            onLost?()
        } else {
            onMessage?(message)
        }
    }
}

/// A pointer on its way into the core's isolation; libdbus calls us there already.
private struct Pointer: @unchecked Sendable {
    let raw: OpaquePointer
}

private func link(_ data: UnsafeMutableRawPointer?) -> Link? {
    data.map { Unmanaged<Link>.fromOpaque($0).takeUnretainedValue() }
}

private func watchAdded(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) -> dbus_bool_t {
    guard let link = link(data), let watch = watch.map(Pointer.init) else { return 0 }
    Core.assumeOnCore { link.add(watch.raw) }
    return 1
}

private func watchRemoved(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    guard let link = link(data), let watch = watch.map(Pointer.init) else { return }
    Core.assumeOnCore { link.remove(watch.raw) }
}

private func watchToggled(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    guard let link = link(data), let watch = watch.map(Pointer.init) else { return }
    Core.assumeOnCore { link.toggle(watch.raw) }
}

private func dispatchStatusChanged(_: OpaquePointer?, _ status: DBusDispatchStatus, _ data: UnsafeMutableRawPointer?) {
    guard status == DBUS_DISPATCH_DATA_REMAINS, let link = link(data) else { return }
    Core.assumeOnCore { link.scheduleDrain() }
}

private func messageReceived(
    _: OpaquePointer?, _ message: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) -> DBusHandlerResult {
    guard let link = link(data), let message = message.map({ Message($0) }) else {
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    }
    Core.assumeOnCore { link.receive(message) }
    return DBUS_HANDLER_RESULT_HANDLED
}
