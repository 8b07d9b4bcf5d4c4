import Library

/// What a client may ask for; already checked, so a value of this type can be obeyed as it is.
public enum RemoteAction: Hashable, Sendable {
    case play, pause, toggle, stop
    case next, previous, nextEpisode, previousEpisode
    /// Seconds from the start, 0 or more.
    case seek(to: Seconds)
    /// Negative goes back.
    case skip(by: Seconds)
    /// 0.5…3; a positive value outside is brought inside.
    case rate(to: Double)
    /// 0…100.
    case volume(to: Int)
    case mute(to: Bool)
    case select(EpisodeTarget)
    case keep(EpisodeTarget, on: Bool)
    case queue(EpisodeTarget, QueueChange)

    /// What to do with the target's place in the queue.
    public enum QueueChange: Hashable, Sendable {
        /// To this place, 1 is the first.
        case move(to: Int)
        case remove
        /// At the end.
        case add
    }
}

/// The words of `cmd`.
enum Verb: String, CaseIterable {
    case play, pause, toggle, stop, next, previous, nextEpisode, previousEpisode
    case seek, skip, rate, volume, mute, select, keep, queue
}

/// One frame from a client: `{"id":"…","cmd":"seek","to":1200,"episode":{…},"seq":412}`.
public struct RemoteCommand: Hashable, Sendable {
    /// Chosen by the client; the same id again runs nothing and gets the same answer. 1…128 bytes.
    public var id: String
    public var action: RemoteAction
    /// A guard, not a target: refused as stale unless this is the current episode.
    public var episode: EpisodeTarget?
    /// The state the client saw when its user acted; for the log.
    public var seq: Int?

    public init(id: String, action: RemoteAction, episode: EpisodeTarget? = nil, seq: Int? = nil) {
        self.id = id
        self.action = action
        self.episode = episode
        self.seq = seq
    }
}
