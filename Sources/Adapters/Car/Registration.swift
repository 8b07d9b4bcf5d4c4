import DBus
import EventLoop
import Library
import Linux
import Playback

/// Our player on one adapter of one bluetoothd: registered once; tried again, ever more slowly, while it is refused.
@Core
final class Registration {
    enum Outcome {
        case registered
        /// BlueZ has it from before, on this very connection, with the state of that time.
        case alreadyThere
        /// `isFirst`: of this kind, so that it is logged once.
        case refused(DBusError, isFirst: Bool)
    }

    private(set) var isDone = false
    private let connection: Connection
    private let call: @Core () -> MethodCall
    private let clock: @Core () -> Instant
    private let outcome: @Core (Outcome) -> Void
    private var backoff = Backoff(from: 0.5, to: 60)
    private var lastError: String?
    private lazy var timer = CoreTimer { [weak self] in self?.attempt() }

    /// Does not begin before `attempt`. `call` is made anew for each try: it carries the state of that moment.
    init(
        on connection: Connection, clock: @escaping @Core () -> Instant, call: @escaping @Core () -> MethodCall,
        outcome: @escaping @Core (Outcome) -> Void
    ) {
        self.connection = connection
        self.call = call
        self.clock = clock
        self.outcome = outcome
    }

    func attempt() {
        connection.call(call(), timeout: 5) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success: done(.registered)
            case .failure(let error) where error.name == "org.bluez.Error.AlreadyExists": done(.alreadyThere)
            case .failure(.disconnected): break
            case .failure(let error): refused(error)
            }
        }
    }

    private func done(_ outcome: Outcome) {
        isDone = true
        self.outcome(outcome)
    }

    private func refused(_ error: DBusError) {
        let isFirst = lastError != error.name
        lastError = error.name
        // A policy, or a BlueZ without AVRCP, does not change by asking (SYS-07).
        let seconds = error.isLasting ? 60 : backoff.wait()
        timer.set(at: clock().advanced(by: seconds).nanoseconds)
        outcome(.refused(error, isFirst: isFirst))
    }
}

extension DBusError {
    /// Will be the same in a second.
    var isLasting: Bool { isDenied || name == "org.bluez.Error.NotSupported" }

    /// The bus' policy says no.
    var isDenied: Bool { name == "org.freedesktop.DBus.Error.AccessDenied" }
}
