import Glibc
import Synchronization

/// One line of the server's log: what came, and what became of it.
public struct LoggedRequest: Sendable {
    /// How the request proved who it is.
    public enum Credential: Hashable, Sendable {
        case none
        /// `matches`: it is this server's token.
        case bearer(matches: Bool)
        /// `matches`: it names a session of this server.
        case cookie(matches: Bool)
        /// Any other Authorization, by its scheme.
        case other(scheme: String)
    }

    /// Place in the log, from 0.
    public var number: Int
    /// Which connection it came over, from 0.
    public var connection: Int
    public var request: ServedRequest
    public var credential: Credential
    /// Seconds on the monotonic clock when it had come in.
    public var time: Double
    /// Nil until the answer's head was sent, and for ever when there was none.
    public var status: Int?
    /// Body bytes sent so far.
    public var sent = 0
    public var isFinished = false
    /// What no client of this contract may ask, or the way it may not ask it.
    public var violation: String?

    public var method: String { request.method }
    public var path: String { request.path }
    public var range: String? { request.headers["range"] }
}

/// The requests of one server in the order they came in; any thread may add, look or wait.
public final class RequestLog: Sendable {
    private let lines = Mutex<[LoggedRequest]>([])

    public var all: [LoggedRequest] { lines.withLock { $0 } }

    public var violations: [LoggedRequest] { all.filter { $0.violation != nil } }

    /// Those to paths that fit `pattern` (`*` stands for any run of characters), of one method if given.
    public func requests(_ pattern: String, method: String? = nil) -> [LoggedRequest] {
        all.filter { Glob(pattern).matches($0.path) && (method == nil || method == $0.method) }
    }

    /// The first that fits, as soon as there is one; nil when `seconds` passed without.
    public func first(within seconds: Double = 5, where fits: (LoggedRequest) -> Bool) async -> LoggedRequest? {
        let deadline = monotonicSeconds() + seconds
        while monotonicSeconds() < deadline {
            if let found = all.first(where: fits) { return found }
            try? await Task.sleep(nanoseconds: 3_000_000)
        }
        return all.first(where: fits)
    }

    /// Waits until `count` requests to paths that fit are in the log; false when `seconds` passed without.
    public func wait(for count: Int, _ pattern: String, method: String? = nil, within seconds: Double = 5) async -> Bool {
        let deadline = monotonicSeconds() + seconds
        while requests(pattern, method: method).count < count {
            if monotonicSeconds() > deadline { return false }
            try? await Task.sleep(nanoseconds: 3_000_000)
        }
        return true
    }

    public func clear() { lines.withLock { $0.removeAll() } }

    /// Returns its number.
    func add(_ line: LoggedRequest) -> Int {
        lines.withLock {
            var line = line
            line.number = ($0.last?.number ?? -1) + 1
            $0.append(line)
            return line.number
        }
    }

    func change(_ number: Int, _ change: (inout LoggedRequest) -> Void) {
        lines.withLock { lines in
            guard let index = lines.lastIndex(where: { $0.number == number }) else { return }
            change(&lines[index])
        }
    }
}

/// Seconds on `CLOCK_MONOTONIC`.
func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Seconds since 1970 on the machine's clock.
func wallSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
