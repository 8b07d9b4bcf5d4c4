import CMPV
import Dispatch
import EventLoop

/// One libmpv core. Everything asked of it is asynchronous: the core never waits for mpv, which may wait for a sound server.
///
/// It ends when it is let go: mpv is told to quit, which cancels the stream being read, and is waited for on another thread.
@Core
public final class MPVPlayer {
    /// On the core, once for each request, in mpv's order; never when the player has gone before.
    public typealias Answer = @Core (Result<MPVValue, MPVError>) -> Void

    public var onEvent: (@Core (MPVEvent) -> Void)?
    private let handle: MPVHandle
    private var answers: [UInt64: Answer] = [:]
    private var requests: UInt64 = 0

    private init(_ handle: MPVHandle) {
        self.handle = handle
        handle.listen { [weak self] in Core.assumeOnCore { self?.drain() } }
    }

    /// Opens libmpv and starts a player on a background thread: over 100 ms the first time.
    public nonisolated static func open(
        _ setup: MPVSetup, _ done: @escaping @Core @Sendable (Result<MPVPlayer, MPVError>) -> Void
    ) {
        MPVLibrary.load { library in
            let handle = library.flatMap { library in
                Result { () throws(MPVError) in try MPVHandle(library, setup) }
            }
            Core.run { done(handle.map { MPVPlayer($0) }) }
        }
    }

    /// `MPV_CLIENT_API_VERSION`: major in the upper, minor in the lower 16 bits.
    public var version: UInt { handle.library.version }

    private func drain() {
        // mpv signals again for what comes after the queue was seen empty.
        while let raw = handle.library.waitEvent(handle.pointer, 0), raw.pointee.event_id != MPV_EVENT_NONE {
            switch handle.library.drained(raw.pointee) {
            case .event(let event): onEvent?(event)
            case .answer(let request, let result): answers.removeValue(forKey: request)?(result)
            case nil: break
            }
        }
    }

    /// `arguments` as in mpv's input.conf, the command first; mpv(1), "List of Input Commands".
    public func command(_ arguments: [String], _ answer: Answer? = nil) throws(MPVError) {
        let texts = CStrings(arguments)
        try request(answer) { handle.library.commandAsync(handle.pointer, $0, texts.pointers) }
    }

    public func set(_ name: String, _ value: Double, _ answer: Answer? = nil) throws(MPVError) {
        var value = value
        try request(answer) { handle.library.setPropertyAsync(handle.pointer, $0, name, MPV_FORMAT_DOUBLE, &value) }
    }

    public func set(_ name: String, _ value: Bool, _ answer: Answer? = nil) throws(MPVError) {
        var value: Int32 = value ? 1 : 0
        try request(answer) { handle.library.setPropertyAsync(handle.pointer, $0, name, MPV_FORMAT_FLAG, &value) }
    }

    public func set(_ name: String, _ value: String, _ answer: Answer? = nil) throws(MPVError) {
        let texts = CStrings([value])
        try request(answer) {
            handle.library.setPropertyAsync(handle.pointer, $0, name, MPV_FORMAT_STRING, texts.pointers)
        }
    }

    /// The property's value in the answer; `propertyUnavailable` when it has none now.
    public func get(_ name: String, _ answer: @escaping Answer) throws(MPVError) {
        try request(answer) { handle.library.getPropertyAsync(handle.pointer, $0, name, MPV_FORMAT_NODE) }
    }

    /// The present value and every change come as `.property`.
    public func observe(_ name: String) throws(MPVError) {
        try handle.library.check(handle.library.observeProperty(handle.pointer, 0, name, MPV_FORMAT_NODE))
    }

    /// Messages of this level and worse come as `.log`: "no", "fatal", "error", "warn", "info", "v" …
    public func requestLog(_ level: String) throws(MPVError) {
        try handle.library.check(handle.library.requestLog(handle.pointer, level))
    }

    private func request(_ answer: Answer?, _ call: (UInt64) -> Int32) throws(MPVError) {
        requests += 1
        if let answer { answers[requests] = answer }
        let code = call(requests)
        if code < 0 { answers[requests] = nil }
        try handle.library.check(code)
    }
}
