import Library

/// Where the sound is: a place, the moment it was true, and how fast it runs on from there (0 stands still).
struct Playhead: Hashable, Sendable {
    private(set) var position: Seconds
    private(set) var anchor: Instant
    private(set) var rate: Double = 0

    init(standingAt position: Seconds, since anchor: Instant) {
        self.position = position
        self.anchor = anchor
    }

    var isRunning: Bool { rate > 0 }

    func position(at now: Instant) -> Seconds { position + max(0, now.seconds(since: anchor)) * rate }

    mutating func run(at rate: Double, from now: Instant) {
        move(to: position(at: now), at: now)
        self.rate = rate
    }

    mutating func stand(at now: Instant) {
        move(to: position(at: now), at: now)
        rate = 0
    }

    /// Another place, at the same pace.
    mutating func move(to position: Seconds, at now: Instant) {
        self.position = position
        anchor = now
    }

    /// When it comes to `place`; nil when it never does.
    func moment(of place: Seconds) -> Instant? {
        isRunning ? anchor.advanced(by: (place - position) / rate) : nil
    }
}
