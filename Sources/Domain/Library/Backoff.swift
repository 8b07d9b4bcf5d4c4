/// When a server that failed may be asked again: doubling waits with jitter, or as long as it said itself. One for all requests
/// to a server keeps them under 10 in the first minute (ipx-api.md).
public struct Backoff: Hashable, Sendable {
    /// First wait and longest wait, seconds.
    public static let first: Seconds = 2
    public static let longest: Seconds = 300
    /// A server's own wish is followed up to this, seconds.
    public static let longestWish: Seconds = 3600

    public private(set) var failures = 0
    /// Nil: now.
    public private(set) var notBefore: Instant?

    public init() {}

    public func isOpen(at now: Instant) -> Bool { notBefore.map { $0 <= now } ?? true }

    /// `chance` in 0..<1 spreads many boxes over 0.75…1.25 of the wait. `retryAfter` in seconds from the answer's header.
    public mutating func failed(at now: Instant, retryAfter: Seconds? = nil, chance: Double) {
        let doubled = min(Self.first * Seconds(1 << min(failures, 20)), Self.longest)
        let jittered = doubled * (0.75 + 0.5 * min(max(chance, 0), 1))
        let wish = retryAfter.flatMap { $0.isFinite ? min(max($0, 0), Self.longestWish) : nil } ?? 0
        failures += 1
        notBefore = now.advanced(by: max(jittered, wish))
    }

    /// An answer came, or the network came back.
    public mutating func reset() { self = Backoff() }
}
