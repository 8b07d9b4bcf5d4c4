import Synchronization

/// A running transfer. Dropping it does not end it.
public final class Transfer: Sendable {
    /// What the one who takes the bytes wants next.
    public enum Flow: Sendable {
        case proceed
        /// Stop taking bytes from the socket until `resume`; what was just handed over counts as taken.
        case pause
        /// Enough; `onEnd` follows with `.cancelled`.
        case stop
    }

    let id: UInt64
    private let loop: CurlLoop
    private let cancelledFlag = Atomic<Bool>(false)

    init(id: UInt64, loop: CurlLoop) {
        self.id = id
        self.loop = loop
    }

    var isCancelled: Bool { cancelledFlag.load(ordering: .acquiring) }

    /// No bytes are handed over that had not been already; `onEnd(.cancelled)` follows, unless it has ended. From any thread.
    public func cancel() {
        cancelledFlag.store(true, ordering: .releasing)
        loop.post(.cancel(id))
    }

    /// Takes up again after `Flow.pause`. From any thread.
    public func resume() { loop.post(.resume(id)) }
}

/// Where a transfer's parts go. All three are called on the client's own thread, which serves every other transfer too:
/// they may write to a file, and must not wait for anything else.
struct TransferSink: Sendable {
    var onHead: @Sendable (HTTPHead) -> Transfer.Flow
    var onBytes: @Sendable ([UInt8]) -> Transfer.Flow
    /// Once, last. Nil: the whole body came.
    var onEnd: @Sendable (HTTPError?) -> Void
}
