import CMPV
import Dispatch
import EventLoop
import Glibc

/// mpv's own handle with what its threads call back into: made and ended off the core, since both may block.
///
/// `@unchecked`: libmpv's functions may be called from any thread (client.h, "Threading"); `wakeups` and `scheme` are used by
/// mpv's threads, unretained, until `mpv_terminate_destroy` returned, which is why they are held here to that moment.
final class MPVHandle: @unchecked Sendable {
    let library: MPVLibrary
    let pointer: OpaquePointer
    let wakeups = Wakeups()
    private let scheme: StreamProtocol

    init(_ library: MPVLibrary, _ setup: MPVSetup) throws(MPVError) {
        // client.h: mpv_create fails with any other LC_NUMERIC.
        setlocale(LC_NUMERIC, "C")
        guard let pointer = library.create() else { throw .missing("mpv_create failed") }
        self.library = library
        self.pointer = pointer
        scheme = StreamProtocol(setup.open, ended: setup.ended)
        // From here on a throw ends in `deinit`, which destroys the handle.
        for (name, value) in setup.options { try set(name, value) }
        for (name, value) in setup.optionsWhereKnown {
            do { try set(name, value) } catch  where error.code == MPVError.optionNotFound {}
        }
        try library.check(library.initialize(pointer))
        let context = Unmanaged.passUnretained(scheme).toOpaque()
        try library.check(library.addStream(pointer, setup.scheme, context, openStream))
    }

    /// `handler` runs on `Core.queue`; at once, too, since mpv calls back while it is set. Not sooner than there is a handler: mpv
    /// does not call again before its queue has been emptied, so one lost call would be the last.
    func listen(_ handler: @escaping @Sendable () -> Void) {
        wakeups.source.setEventHandler(handler: handler)
        wakeups.source.activate()
        library.setWakeupCallback(pointer, wakeUp, Unmanaged.passUnretained(wakeups).toOpaque())
    }

    private func set(_ name: String, _ value: String) throws(MPVError) {
        let code = library.setOptionString(pointer, name, value)
        guard code < 0 else { return }
        throw MPVError(code: code, description: "\(name)=\(value): \(library.error(code).description)")
    }

    deinit {
        // After this returns no wakeup runs any more: mpv calls it under the lock taken here.
        library.setWakeupCallback(pointer, nil, nil)
        terminate(library, pointer, scheme)
    }
}

/// Waits for mpv's threads, which may wait for a reader or a sound server: a thread of the pool, never the core.
private func terminate(_ library: MPVLibrary, _ handle: OpaquePointer, _ scheme: StreamProtocol) {
    nonisolated(unsafe) let handle = handle
    DispatchQueue.global().async {
        library.terminateDestroy(handle)
        scheme.ended()
    }
}

/// mpv's wakeups (any thread, many) coalesced into one turn on the core.
final class Wakeups: @unchecked Sendable {
    let source = DispatchSource.makeUserDataAddSource(queue: Core.queue)

    deinit {
        source.cancel()
        // An inactive source may not be released (libdispatch traps); activating an active one does nothing.
        source.activate()
    }
}

/// Called by mpv on its threads.
private func wakeUp(_ wakeups: UnsafeMutableRawPointer?) {
    guard let wakeups else { return }
    Unmanaged<Wakeups>.fromOpaque(wakeups).takeUnretainedValue().source.add(data: 1)
}
