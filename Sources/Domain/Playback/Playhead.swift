import Library

/// Where the sound is: a place, the moment it was true, and how fast it runs on from there (0 stands still).
struct Playhead: Hashable, Sendable {
    private(set) var position: Seconds
    private(set) var anchor: Instant
    private(set) var rate: Double = 0
    /// When it last came to a place by anything but running on; what was true before says nothing about now.
    private(set) var arrived: Instant

    init(standingAt position: Seconds, since anchor: Instant) {
        self.position = position
        self.anchor = anchor
        arrived = anchor
    }

    var isRunning: Bool { rate > 0 }

    func position(at now: Instant) -> Seconds { position + max(0, now.seconds(since: anchor)) * rate }

    mutating func run(at rate: Double, from now: Instant) {
        position = position(at: now)
        anchor = now
        self.rate = rate
    }

    mutating func stand(at now: Instant) { run(at: 0, from: now) }

    /// Another place, at the same pace.
    mutating func jump(to position: Seconds, at now: Instant) {
        self.position = position
        anchor = now
        arrived = now
    }

    /// It was there at `moment`, and ran on at `pace` from then to the anchor, if that is later.
    mutating func correct(to place: Seconds, at moment: Instant, pace: Double) {
        position = place + max(0, anchor.seconds(since: moment)) * pace
        anchor = max(anchor, moment)
    }

    /// When it comes to `place`; nil when it never does.
    func moment(of place: Seconds) -> Instant? {
        isRunning ? anchor.advanced(by: (place - position) / rate) : nil
    }
}
