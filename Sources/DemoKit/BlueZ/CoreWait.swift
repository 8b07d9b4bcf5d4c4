import Dispatch
import EventLoop

/// Waits on the core's own queue for a condition, looked at every 5 ms; false when it did not come true within `seconds`.
///
/// No task sleeps meanwhile: a test that blocks the few threads of the cooperative pool does not make this one late.
@Core
public func comesTrue(within seconds: Double = 5, _ condition: @escaping @Core () -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
        let wait = CoreWait(condition, deadline: MonotonicClock.now + seconds) { continuation.resume(returning: $0) }
        wait.start()
    }
}

/// One such wait; keeps itself until it is over.
@Core
private final class CoreWait {
    private let condition: @Core () -> Bool
    private let deadline: Double
    private let done: @Core (Bool) -> Void
    private let timer = DispatchSource.makeTimerSource(queue: Core.queue)

    init(_ condition: @escaping @Core () -> Bool, deadline: Double, done: @escaping @Core (Bool) -> Void) {
        self.condition = condition
        self.deadline = deadline
        self.done = done
    }

    func start() {
        timer.setEventHandler { [self] in
            Core.assumeOnCore { look() }
        }
        timer.schedule(deadline: .now(), repeating: .milliseconds(5))
        timer.resume()
    }

    private func look() {
        guard !timer.isCancelled else { return }
        let holds = condition()
        guard holds || MonotonicClock.now >= deadline else { return }
        timer.cancel()
        done(holds)
    }
}
