import Dispatch
import Glibc
import Library
import Playback

/// Bytes in memory that come when the test lets them, and fail when it says so. `@unchecked`: all under `condition`.
public final class FakeReader: EpisodeReader, @unchecked Sendable {
    private struct State {
        var bytes: [UInt8]
        /// What lies behind is not there yet.
        var available: Int64
        var ending: Failure?
        var announcesSize = true
        var isCancelled = false
        var failure: Failure?
        var hasReadToEnd = false
        var isWaiting = false
        var furthest: Int64 = 0
    }

    private var state: State
    private var mutex = pthread_mutex_t()
    private var changed = pthread_cond_t()

    public init(_ bytes: [UInt8]) {
        state = State(bytes: bytes, available: Int64(bytes.count))
        pthread_mutex_init(&mutex, nil)
        pthread_cond_init(&changed, nil)
    }

    deinit {
        pthread_cond_destroy(&changed)
        pthread_mutex_destroy(&mutex)
    }

    // MARK: the test's side

    /// Reads behind this place wait from now on.
    public func hold(from place: Int64) { change { $0.available = place } }

    /// All the bytes are there.
    public func release() { change { $0.available = Int64($0.bytes.count) } }

    /// Reads behind what is available fail instead of waiting; nil: wait again.
    public func failAtGap(_ failure: Failure?) { change { $0.ending = failure } }

    public func hideSize() { change { $0.announcesSize = false } }

    /// A read waits for bytes right now.
    public var isWaiting: Bool { look { $0.isWaiting } }
    public var isCancelled: Bool { look { $0.isCancelled } }
    /// Behind the last byte handed out.
    public var furthest: Int64 { look { $0.furthest } }

    // MARK: the engine's side

    public var failure: Failure? { look { $0.failure } }
    public var hasReadToEnd: Bool { look { $0.hasReadToEnd } }

    public func size() -> Int64? { look { $0.announcesSize ? Int64($0.bytes.count) : nil } }

    public func cancel() { change { $0.isCancelled = true } }

    public func read(at offset: Int64, upTo count: Int) -> ReadOutcome {
        pthread_mutex_lock(&mutex)
        defer { pthread_mutex_unlock(&mutex) }
        while true {
            if let outcome = outcome(offset, count) {
                state.isWaiting = false
                return outcome
            }
            state.isWaiting = true
            pthread_cond_wait(&changed, &mutex)
        }
    }

    /// Nil: wait.
    private func outcome(_ offset: Int64, _ count: Int) -> ReadOutcome? {
        let size = Int64(state.bytes.count)
        if state.isCancelled { return .cancelled }
        if offset >= size {
            state.hasReadToEnd = true
            return .end
        }
        let end = min(offset + Int64(count), state.available)
        if end > offset {
            if end == size { state.hasReadToEnd = true }
            state.furthest = max(state.furthest, end)
            return .bytes(Array(state.bytes[Int(offset)..<Int(end)]))
        }
        guard let failure = state.ending else { return nil }
        state.failure = failure
        return .failed(failure)
    }

    private func change(_ body: (inout State) -> Void) {
        pthread_mutex_lock(&mutex)
        body(&state)
        pthread_cond_broadcast(&changed)
        pthread_mutex_unlock(&mutex)
    }

    private func look<T>(_ body: (State) -> T) -> T {
        pthread_mutex_lock(&mutex)
        defer { pthread_mutex_unlock(&mutex) }
        return body(state)
    }
}
