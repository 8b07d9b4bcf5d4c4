import CDBus
import Dispatch
import EventLoop
import Glibc

/// One descriptor libdbus wants watched, as dispatch sources that exist while the watch is enabled.
///
/// Each source has a duplicate of the descriptor: libdbus closes its own right after it removes the watch, but a dispatch
/// source must be cancelled, a little later, before its descriptor is closed.
@Core
final class Watch {
    private let raw: OpaquePointer
    private let afterwards: @Core () -> Void
    private var sources: [any DispatchSourceProtocol] = []

    /// `afterwards` runs when libdbus has handled the descriptor.
    init(_ raw: OpaquePointer, afterwards: @escaping @Core () -> Void) {
        self.raw = raw
        self.afterwards = afterwards
        update()
    }

    /// Follows `dbus_watch_get_enabled`.
    func update() {
        cancel()
        guard dbus_watch_get_enabled(raw) != 0 else { return }
        let flags = dbus_watch_get_flags(raw)
        if flags & DBUS_WATCH_READABLE.rawValue != 0 { add(DBUS_WATCH_READABLE.rawValue) }
        if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { add(DBUS_WATCH_WRITABLE.rawValue) }
    }

    func cancel() {
        for source in sources { source.cancel() }
        sources = []
    }

    private func add(_ flag: UInt32) {
        // Close-on-exec, or a child that is started meanwhile would hold the connection open after us.
        let descriptor = fcntl(dbus_watch_get_unix_fd(raw), F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return }
        let source: any DispatchSourceProtocol =
            flag == DBUS_WATCH_READABLE.rawValue
            ? DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Core.queue)
            : DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: Core.queue)
        source.setEventHandler { [weak self] in
            Core.assumeOnCore { self?.handle(flag) }
        }
        source.setCancelHandler { _ = close(descriptor) }
        source.resume()
        sources.append(source)
    }

    /// A cancelled source's handler does not run any more: both happen on this queue.
    private func handle(_ flag: UInt32) {
        guard !sources.isEmpty else { return }
        // libdbus notices a hang-up by the read or the write itself.
        dbus_watch_handle(raw, flag)
        afterwards()
    }
}
