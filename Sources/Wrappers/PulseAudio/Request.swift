import CPulse
import EventLoop

/// A question to the server under way: gathers the answer on libpulse's thread and hands it to `Core` exactly once.
///
/// Retained by libpulse from the call until `finish`; the operation's end (done or cancelled) is told by its state callback: one that is
/// cut short by a lost connection never calls its own.
final class Request: @unchecked Sendable {
    /// What came, by kind; most answers have one or none.
    enum Item: Sendable {
        case server(ServerInfo)
        case sink(Sink)
        case input(SinkInput)
        case module(UInt32)
    }

    typealias Answer = Result<[Item], PulseError>

    private var items: [Item] = []
    private var failure: PulseError?
    private let done: @Core @Sendable (Answer) -> Void

    private init(_ done: @escaping @Core @Sendable (Answer) -> Void) { self.done = done }

    /// `start` is called under the lock with the request as user data and returns libpulse's operation.
    static func send(
        _ connection: Connection, _ start: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?,
        done: @escaping @Core @Sendable (Answer) -> Void
    ) {
        let request = Request(done)
        connection.locked {
            let me = Unmanaged.passRetained(request)
            guard let operation = start(connection.context, me.toOpaque()) else {
                request.failure = connection.lastError
                finishOnCore(me.toOpaque())
                return
            }
            pa_operation_set_state_callback(operation, requestEnded, me.toOpaque())
            pa_operation_unref(operation)
        }
    }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> Request {
        // swift-format-ignore: NeverForceUnwrap
        Unmanaged<Request>.fromOpaque(pointer!).takeUnretainedValue()
    }

    func add(_ item: Item) { items.append(item) }

    /// libpulse's convention: a failed answer leaves the cause in the context.
    func fail(_ context: OpaquePointer?) { failure = PulseError(code: pa_context_errno(context)) }

    fileprivate func end(cancelled: Bool) {
        if cancelled { failure = .connectionTerminated }
    }

    @Core
    fileprivate func finish() { done(failure.map { .failure($0) } ?? .success(items)) }
}

/// Lists end with `end` 1, or fail with −1 (pulse/introspect.h).
func serverArrived(_: OpaquePointer?, _ info: UnsafePointer<pa_server_info>?, _ me: UnsafeMutableRawPointer?) {
    if let info { Request.from(me).add(.server(ServerInfo(info.pointee))) }
}

func sinkArrived(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_sink_info>?, _ end: Int32, _ me: UnsafeMutableRawPointer?
) {
    if end < 0 { Request.from(me).fail(context) } else if let info { Request.from(me).add(.sink(Sink(info.pointee))) }
}

func inputArrived(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_sink_input_info>?, _ end: Int32, _ me: UnsafeMutableRawPointer?
) {
    if end < 0 { Request.from(me).fail(context) } else if let info { Request.from(me).add(.input(SinkInput(info.pointee))) }
}

func indexArrived(_ context: OpaquePointer?, _ index: UInt32, _ me: UnsafeMutableRawPointer?) {
    if index == UInt32.max { Request.from(me).fail(context) } else { Request.from(me).add(.module(index)) }
}

func successArrived(_ context: OpaquePointer?, _ success: Int32, _ me: UnsafeMutableRawPointer?) {
    if success == 0 { Request.from(me).fail(context) }
}

private func requestEnded(_ operation: OpaquePointer?, _ me: UnsafeMutableRawPointer?) {
    let state = pa_operation_get_state(operation)
    guard state != PA_OPERATION_RUNNING else { return }
    Request.from(me).end(cancelled: state == PA_OPERATION_CANCELLED)
    // swift-format-ignore: NeverForceUnwrap
    finishOnCore(me!)
}

/// The last reference is let go on `Core`: what the answer's closure holds may own the connection, and its thread cannot end itself.
private func finishOnCore(_ me: UnsafeMutableRawPointer) {
    let address = UInt(bitPattern: me)
    // swift-format-ignore: NeverForceUnwrap
    Core.run { Unmanaged<Request>.fromOpaque(UnsafeMutableRawPointer(bitPattern: address)!).takeRetainedValue().finish() }
}
