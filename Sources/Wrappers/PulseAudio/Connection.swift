import CPulse

/// The C half of `PulseContext`: mainloop, context and the lock under which libpulse may be called.
///
/// Why libpulse's own thread and not its mainloop interface on dispatch sources: libpulse closes a descriptor right after it
/// frees the watch, while a dispatch source must be cancelled, later, before its descriptor is closed. The thread does nothing
/// but copy what arrived and send it to `Core`, so the lock is never held for long.
///
/// `@unchecked`: the pointers are only used under the mainloop's lock, or on its thread, which holds it.
final class Connection: @unchecked Sendable {
    enum Event: Sendable {
        case state(PulseContext.State)
        case change(Change)
    }

    let context: OpaquePointer
    private let loop: OpaquePointer
    private var deliver: (@Sendable (Event) -> Void)?

    /// `deliver` is called on libpulse's thread, in order, until `close()`.
    init(name: String, deliver: @escaping @Sendable (Event) -> Void) {
        loop = pa_threaded_mainloop_new()
        pa_threaded_mainloop_set_name(loop, "pulse")
        context = pa_context_new(pa_threaded_mainloop_get_api(loop), name)
        self.deliver = deliver
        // Unretained: `close()` takes the callbacks back before this object can go.
        let me = Unmanaged.passUnretained(self).toOpaque()
        pa_context_set_state_callback(context, connectionState, me)
        pa_context_set_subscribe_callback(context, connectionChange, me)
    }

    deinit {
        close()
        pa_context_unref(context)
        pa_threaded_mainloop_free(loop)
    }

    /// `server`: nil is what `PULSE_SERVER` or the client configuration says. Nothing is ever started (`NOAUTOSPAWN`).
    func connect(server: String?) throws(PulseError) {
        let failed = locked { pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 }
        if failed { throw lastError }
        if pa_threaded_mainloop_start(loop) < 0 { throw PulseError(code: Int32(PA_ERR_INTERNAL.rawValue)) }
    }

    /// No callback comes afterwards. Operations under way end as cancelled.
    func close() {
        locked {
            deliver = nil
            pa_context_set_state_callback(context, nil, nil)
            pa_context_set_subscribe_callback(context, nil, nil)
            pa_context_disconnect(context)
        }
        pa_threaded_mainloop_stop(loop)
    }

    var lastError: PulseError { PulseError(code: pa_context_errno(context)) }

    func locked<Result>(_ body: () -> Result) -> Result {
        pa_threaded_mainloop_lock(loop)
        defer { pa_threaded_mainloop_unlock(loop) }
        return body()
    }

    fileprivate func stateChanged() {
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY: deliver?(.state(.ready))
        case PA_CONTEXT_FAILED: deliver?(.state(.failed(lastError)))
        case PA_CONTEXT_TERMINATED: deliver?(.state(.failed(.connectionTerminated)))
        default: break
        }
    }

    fileprivate func changed(_ change: Change) { deliver?(.change(change)) }
}

private func connectionState(_: OpaquePointer?, _ me: UnsafeMutableRawPointer?) {
    // swift-format-ignore: NeverForceUnwrap
    Unmanaged<Connection>.fromOpaque(me!).takeUnretainedValue().stateChanged()
}

private func connectionChange(
    _: OpaquePointer?, _ event: pa_subscription_event_type_t, _ index: UInt32, _ me: UnsafeMutableRawPointer?
) {
    // swift-format-ignore: NeverForceUnwrap
    Unmanaged<Connection>.fromOpaque(me!).takeUnretainedValue().changed(Change(event: event, index: index))
}
