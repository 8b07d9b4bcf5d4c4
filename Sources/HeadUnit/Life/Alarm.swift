import EventLoop
import Library
import Linux

/// One moment from now on the monotonic clock; ringing it again moves the moment.
@Core
final class Alarm {
    private let timer: CoreTimer

    init(_ action: @escaping @Core () -> Void) { timer = CoreTimer(action) }

    func ring(after seconds: Seconds) { timer.set(at: Clocks.monotonic() + Int64(seconds * 1e9)) }

    func silence() { timer.set(at: nil) }
}

/// The monotonic clock in the domain's terms.
func monotonicNow() -> Instant { Instant(nanoseconds: Clocks.monotonic()) }
