/// How patient fetching is. Tests shorten it.
public struct FetchTimings: Sendable {
    /// Name, connection and TLS of one hop.
    public var connect: Duration = .seconds(15)
    /// Silence after which the connection is given up; with the first wait after it, less than 20 s (PB-12).
    public var stall: Duration = .seconds(18)
    /// Seconds before the first new attempt; doubled with each further one.
    public var firstRetry = 1.0
    public var longestRetry = 30.0
    /// The most that `Retry-After` is obeyed, in seconds.
    public var longestRetryAfter = 900.0
    /// The least time between two saved part records.
    public var recordEvery: Duration = .seconds(5)
    /// The least time between two reports of progress.
    public var progressEvery: Duration = .milliseconds(500)
    /// A wanted byte this near ahead of the running transfer is waited for; a further one gets a request of its own.
    public var nearby: Int64 = 1 << 20

    public init() {}

    /// Seconds to wait before attempt number `failures` + 1; `chance` from 0 to 1 spreads it over its upper half.
    func retryDelay(failures: Int, chance: Double) -> Double {
        let whole = min(longestRetry, firstRetry * Double(1 << min(max(failures - 1, 0), 16)))
        return whole * (0.5 + chance / 2)
    }
}
