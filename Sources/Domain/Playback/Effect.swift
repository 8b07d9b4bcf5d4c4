import Library

/// What the core wants done, run in order after the state is settled.
public enum Effect: Hashable, Sendable {
    /// Replaces whatever the engine has loaded.
    case load(Load)
    case unload
    case setPaused(Bool, Generation)
    case seek(to: Seconds, Generation)
    case setRate(Double)
    /// The engine answers with `EngineEvent.position`.
    case askPosition(Generation)
    case store(Heard)
    /// The episode passed the read mark or its true end.
    case markRead(EpisodeID)
    /// What the car, MPRIS and the phones are shown has changed; `jumped` when the position did not just run on.
    case show(jumped: Bool)
    /// Tell the driver once.
    case tell(DriverMessage)
    /// Send `Event.timePassed` at this moment; replaces an earlier wish, nil withdraws it.
    case wake(at: Instant?)
    /// The queue's head was taken or put back: keep, fetch ahead and store by it.
    case currentChanged(EpisodeID?)
}

public struct Load: Hashable, Sendable {
    public var generation: Generation
    public var episode: Episode
    public var enclosure: Enclosure
    /// The first sample heard; already rewound.
    public var start: Seconds
    public var rate: Double
    public var isPaused: Bool

    public init(
        generation: Generation, episode: Episode, enclosure: Enclosure, start: Seconds, rate: Double, isPaused: Bool
    ) {
        self.generation = generation
        self.episode = episode
        self.enclosure = enclosure
        self.start = start
        self.rate = rate
        self.isPaused = isPaused
    }
}

/// A position to store: the episode and the place always travel together.
public struct Heard: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable {
        /// The rhythm of `save-every`.
        case interval
        case pause, seek, rate, episodeChange = "episode-change", carLost = "car-lost", outputLost = "output-lost"
        case shutdown, end, read
    }

    public var episode: EpisodeID
    public var enclosure: Int
    public var position: Seconds
    public var duration: Seconds?
    /// When it was heard.
    public var at: Instant
    public var reason: Reason
    /// True end: position is 0 and the episode counts as heard whole.
    public var isFinished: Bool

    public init(
        episode: EpisodeID, enclosure: Int, position: Seconds, duration: Seconds?, at: Instant, reason: Reason,
        isFinished: Bool = false
    ) {
        self.episode = episode
        self.enclosure = enclosure
        self.position = position
        self.duration = duration
        self.at = at
        self.reason = reason
        self.isFinished = isFinished
    }

    /// Undisturbed play is pushed at most every 10 s; everything else at once (sync.md).
    public var isUrgent: Bool { reason != .interval }
}

/// Something the driver should know; shown as title for a few seconds and (later) spoken.
public enum DriverMessage: Hashable, Sendable {
    case cannotPlay(EpisodeID)
    case outOfBytes(NetworkState)
    case signIn
    case noOutput
    case waitingForTime
}
