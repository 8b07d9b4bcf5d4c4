import EventLoop
import Library
import Linux
import Playback

/// Writes down what was heard: the record and its place in the outbox in one transaction, then word to the sync.
@Core
final class Notebook {
    private let store: any PositionStore & Outbox
    private let stamp: @Core (Instant) -> Stamp
    private let log: Log
    /// What the store holds of the current episode and of the wish for sound.
    private var noted: (episode: EpisodeID?, wasPlaying: Bool)?
    /// Something waits to be sent; how soon is the outbox's matter.
    var onNoted: (@Core () -> Void)?

    init(store: any PositionStore & Outbox, stamp: @escaping @Core (Instant) -> Stamp, log: Log) {
        self.store = store
        self.stamp = stamp
        self.log = log
    }

    func note(_ heard: Heard, wasPlaying: Bool) {
        attempt("position not stored") { () throws(Failure) in
            try store.store(record(heard), reason: heard.reason)
            try setCurrent(heard.episode, wasPlaying: wasPlaying)
        }
        onNoted?()
    }

    func noteRead(_ episode: EpisodeID) {
        attempt("read mark not stored") { () throws(Failure) in
            try store.markRead(episode, at: stamp(monotonicNow()))
        }
        onNoted?()
    }

    func noteCurrent(_ episode: EpisodeID?, wasPlaying: Bool) {
        attempt("current episode not stored") { () throws(Failure) in
            try setCurrent(episode, wasPlaying: wasPlaying)
        }
    }

    /// A wish that changes nothing heard still decides what goes on after a cut of power: the driver's pause while the car is
    /// away (AV-34), a Play a moment ago.
    func noteWish(_ episode: EpisodeID?, wasPlaying: Bool) {
        guard let episode, noted.map({ $0 != (episode, wasPlaying) }) ?? true else { return }
        noteCurrent(episode, wasPlaying: wasPlaying)
    }

    private func setCurrent(_ episode: EpisodeID?, wasPlaying: Bool) throws(Failure) {
        try store.setCurrent(episode, wasPlaying: wasPlaying)
        noted = (episode, wasPlaying)
    }

    private func record(_ heard: Heard) throws(Failure) -> PositionRecord {
        let before = try store.record(of: heard.episode)
        return PositionRecord(
            episode: heard.episode, enclosure: heard.enclosure, position: heard.position, duration: heard.duration,
            isRead: heard.isFinished || before?.isRead == true,
            listened: stamp(heard.at), baseVersion: before?.baseVersion, isFinished: heard.isFinished)
    }

    /// A full or failing card must not stop the drive: said in the log, tried again with the next position.
    private func attempt(_ what: StaticString, _ body: () throws(Failure) -> Void) {
        do {
            try body()
        } catch {
            log.error(what, ["cause": error])
        }
    }
}
