import EventLoop
import Library
import Playback

/// Positions in memory; what is stored waits in its outbox.
@Core
public final class FakePositionStore: PositionStore {
    public let outbox: FakeOutbox
    /// Every call of `store`, in order.
    public private(set) var stored: [(record: PositionRecord, reason: Heard.Reason)] = []
    private var playing: (episode: EpisodeID, wasPlaying: Bool)?

    public init(outbox: FakeOutbox = FakeOutbox()) { self.outbox = outbox }

    public func store(_ record: PositionRecord, reason: Heard.Reason) throws(Failure) {
        try outbox.hear(record, isUrgent: reason != .interval)
        stored.append((record, reason))
    }

    public func record(of episode: EpisodeID) throws(Failure) -> PositionRecord? { try outbox.held(episode)?.record }

    public func setCurrent(_ episode: EpisodeID?, wasPlaying: Bool) throws(Failure) {
        if let failure = outbox.failure { throw failure }
        playing = episode.map { ($0, wasPlaying) }
    }

    public func current() throws(Failure) -> (episode: Episode, wasPlaying: Bool)? {
        if let failure = outbox.failure { throw failure }
        return playing.map { playing in
            let unknown = Episode(id: playing.episode, title: "", feedTitle: "")
            return (outbox.entries[playing.episode] ?? unknown, playing.wasPlaying)
        }
    }
}
