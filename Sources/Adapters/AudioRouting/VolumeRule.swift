/// How loud a car may start: never above the last time, a new one at the configured start. Its own changes are followed.
///
/// A car that reports its knob, or a sound server that remembers one, does so within a moment of the sink's appearing. Such a
/// report may turn it down but not up; what comes later is the driver's hand.
struct VolumeRule: Hashable, Sendable {
    /// Seconds after the sink's appearing in which nothing but our own command raises the volume.
    static let settling = 2.0

    enum Verdict: Hashable, Sendable {
        /// Too loud: set this.
        case lower(to: Int)
        /// Accepted, and to be remembered.
        case follow(Int)
        case unchanged
    }

    private var limit: Int
    private var last: Int?
    private let settled: Double

    /// `now` in seconds of any monotonic clock.
    init(remembered: Int?, start: Int, now: Double) {
        limit = remembered ?? start
        settled = now + VolumeRule.settling
    }

    /// The sink is at `volume` now.
    mutating func judge(_ volume: Int, now: Double) -> Verdict {
        if volume > limit, now < settled || last == nil {
            last = limit
            return .lower(to: limit)
        }
        defer { last = volume }
        // The first look is where the car left it, not a wish.
        guard let last, last != volume else { return .unchanged }
        limit = volume
        return .follow(volume)
    }

    /// We set it on command.
    mutating func command(_ volume: Int) {
        limit = volume
        last = volume
    }
}
