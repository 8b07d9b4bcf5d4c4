import Library

/// When something that failed may be tried again: ever later up to a longest wait, spread by chance, never given up.
struct Retry: Hashable, Sendable {
    /// Seconds.
    let first: Seconds
    let longest: Seconds
    private(set) var failures = 0
    /// Nil: at once.
    private(set) var notBefore: Instant?

    init(from first: Seconds, to longest: Seconds) {
        self.first = first
        self.longest = longest
    }

    func isDue(at now: Instant) -> Bool { notBefore.map { $0 <= now } ?? true }

    /// `chance` in 0..<1 spreads the wait over 0.8…1.2 of itself: two sides that dial each other at the same time drift apart.
    mutating func failed(at now: Instant, chance: Double) {
        let wait = min(first * Seconds(1 << min(failures, 20)), longest)
        failures += 1
        notBefore = now.advanced(by: wait * (0.8 + 0.4 * min(max(chance, 0), 1)))
    }

    /// Not before this moment, whatever was said so far.
    mutating func hold(until moment: Instant) { notBefore = moment }

    mutating func reset() { self = Retry(from: first, to: longest) }
}
