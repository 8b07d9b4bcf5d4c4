import Library

/// What everyone outside is told: one value, so that car, MPRIS, phones and `status` can't disagree.
public struct NowPlaying: Hashable, Sendable {
    public enum Phase: String, Hashable, Sendable { case playing, paused, loading, buffering, idle, error }
    public enum Reason: String, Hashable, Sendable {
        case driver, carLost = "car-lost", outputLost = "output-lost", call, shutdown, outOfBytes = "out-of-bytes", held
    }

    public var phase: Phase
    public var reason: Reason?
    public var episode: Episode?
    /// The file's duration once known, else the server's if plausible, else nil.
    public var duration: Seconds?
    /// The place at `at`; runs on with `rate` while `phase` is playing. Nil when unknown.
    public var position: Seconds?
    public var at: Instant
    public var rate: Double
    /// True for a load between two episodes of a running drive: the car keeps seeing Playing for up to 2 s.
    public var keepsPlaying: Bool
    public var failure: Failure?

    public init(
        phase: Phase, reason: Reason? = nil, episode: Episode? = nil, duration: Seconds? = nil, position: Seconds? = nil,
        at: Instant, rate: Double = 1, keepsPlaying: Bool = false, failure: Failure? = nil
    ) {
        self.phase = phase
        self.reason = reason
        self.episode = episode
        self.duration = duration
        self.position = position
        self.at = at
        self.rate = rate
        self.keepsPlaying = keepsPlaying
        self.failure = failure
    }

    /// The place now, never above the duration.
    public func position(at now: Instant) -> Seconds? {
        guard let position else { return nil }
        let run = phase == .playing ? max(0, now.seconds(since: at)) * rate : 0
        return min(position + run, duration ?? .infinity)
    }
}
