import EventLoop
import Library
import Linux
import Playback
import Testing

@testable import HeadUnit

@Suite("What is written down", .timeLimit(.minutes(1)))
struct NotebookTests {
    @Test("AV-34 a pause while the car is away survives a cut of power: the wish is noted, once, with nothing heard")
    @Core func wishes() {
        let store = PaperStore()
        let stamp: @Core (Instant) -> Stamp = { Stamp(boot: "boot", at: $0) }
        let notebook = Notebook(store: store, stamp: stamp, log: Log(write: { _ in }))
        let episode = EpisodeID(server: "me", feed: "feed", guid: "A")
        notebook.noteWish(nil, wasPlaying: false)
        notebook.noteCurrent(episode, wasPlaying: true)
        notebook.noteWish(episode, wasPlaying: true)
        notebook.noteWish(episode, wasPlaying: false)
        notebook.noteWish(episode, wasPlaying: false)
        #expect(store.noted.map(\.wasPlaying) == [true, false])
        #expect(store.noted.allSatisfy { $0.episode == episode })
    }
}

/// Keeps what is played last; has nothing else to say.
@Core
private final class PaperStore: PositionStore, Outbox {
    var noted: [(episode: EpisodeID?, wasPlaying: Bool)] = []

    func setCurrent(_ episode: EpisodeID?, wasPlaying: Bool) { noted.append((episode, wasPlaying)) }
    func store(_ record: PositionRecord, reason: Heard.Reason) {}
    func record(of episode: EpisodeID) -> PositionRecord? { nil }
    func current() -> (episode: Episode, wasPlaying: Bool)? { nil }
    func unsent(limit: Int) -> [Held] { [] }
    func held(_ episode: EpisodeID) -> Held? { nil }
    func markRead(_ episode: EpisodeID, at stamp: Stamp) {}
    func acknowledge(_ kind: PushKind, _ episode: EpisodeID, sequence: Int, _ answer: PushAnswer) {}
    func refuse(_ kind: PushKind, _ episode: EpisodeID, sequence: Int) {}
    func settle(_ remote: Episode, from source: EntrySource, isPlaying: Bool, times: SyncTimes) -> Resolution? { nil }
    func settleStamps(by clock: ServerClock) {}
}
