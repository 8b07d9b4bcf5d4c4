import Dispatch
import EventLoop

/// One alarm on the monotonic clock, on the core. Setting it again replaces the former moment; one source for its whole life.
@Core
public final class CoreTimer {
    // Only `cancel` is called off the core, in `deinit`; dispatch allows that from any thread.
    private nonisolated(unsafe) let source: any DispatchSourceTimer
    private var due: Int64?

    /// `action` runs on the core when a set moment has come, once for each.
    public init(_ action: @escaping @Core () -> Void) {
        source = DispatchSource.makeTimerSource(queue: Core.queue)
        source.setEventHandler { [weak self] in
            Core.assumeOnCore {
                // A moment that was withdrawn or moved after the source had fired is not told.
                guard let self, let due = self.due, due <= Clocks.monotonic() else { return }
                self.due = nil
                action()
            }
        }
        source.activate()
    }

    /// `moment` in nanoseconds of `Clocks.monotonic()`; one that has passed fires soon. Nil withdraws it.
    public func set(at moment: Int64?) {
        guard moment != due else { return }
        due = moment
        // DispatchTime counts CLOCK_MONOTONIC on Linux.
        let deadline = moment.map { DispatchTime(uptimeNanoseconds: UInt64(max(1, $0))) } ?? .distantFuture
        source.schedule(deadline: deadline, leeway: .milliseconds(1))
    }

    deinit { source.cancel() }
}
