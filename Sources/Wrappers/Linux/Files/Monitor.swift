import Glibc

/// A value under a lock that threads can wait for (pthread_mutex_t and pthread_cond_t: a monitor in Hoare's sense, Mesa style).
///
/// For blocking threads only: never wait on `Core` or in a Swift task.
public final class Monitor<State: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    /// Touched with `mutex` held only.
    private var state: State

    public init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        // With default attributes these can't fail (pthread_mutex_init(3)).
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// A look, without waking anyone.
    public func look<Result>(_ body: (State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(state)
    }

    /// A change; everyone who waits looks again. `body` must be short and must not come back here.
    @discardableResult
    public func change<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Waits until `body` gives a value; it is asked at once and after every change. It may change the state itself, which
    /// wakes nobody.
    public func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }
}
