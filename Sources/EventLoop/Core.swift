import Dispatch

/// The one place where the service thinks: a global actor on a single serial dispatch queue.
///
/// Everything that decides, and every adapter's state, is isolated to `Core`. Foreign threads (libmpv's callback, libcurl's
/// loop) never touch that state: they signal a dispatch source on `Core.queue` or send a value through `Core.run`.
@globalActor
public actor Core {
    public static let shared = Core()

    /// The serial queue under the actor: dispatch sources made on it run their handlers isolated to `Core`.
    public static let queue = DispatchQueue(label: "net.sdf1.ipxcar.core", qos: .userInitiated)

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        CoreExecutor.shared.asUnownedSerialExecutor()
    }

    /// Runs `body` on the core soon; callable from any thread, keeps the order of calls made by one thread.
    public nonisolated static func run(_ body: @escaping @Core @Sendable () -> Void) {
        queue.async { assumeOnCore(body) }
    }

    /// For code that is known to be on `Core.queue` already: a dispatch source's handler, a C callback called from one.
    public nonisolated static func assumeOnCore<T: Sendable>(_ body: @Core () throws -> T) rethrows -> T {
        dispatchPrecondition(condition: .onQueue(queue))
        typealias Plain = () throws -> T
        return try withoutActuallyEscaping(body) { isolated in
            try unsafeBitCast(isolated, to: Plain.self)()
        }
    }
}

/// Lets Swift's executor checks see that a handler running on the queue is on the actor.
final class CoreExecutor: SerialExecutor {
    static let shared = CoreExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Core.queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(Core.queue)) }
}
