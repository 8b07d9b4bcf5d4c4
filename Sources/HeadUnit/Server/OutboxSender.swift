import EventLoop
import IpxAPI
import Library
import Linux

/// Empties the outbox: reads before it pushes where the server's version is unknown, pushes the newest of each episode, and
/// settles what the server answers (sync.md, "With the server").
@Core
final class OutboxSender {
    private let store: any Outbox
    private let server: IpxServer
    private let clock: @Core () -> ServerClock
    /// The episode that plays now, which no answer may move.
    private let playing: @Core () -> EpisodeID?
    private let log: Log
    private var rhythm = PushRhythm()
    /// An answer moved the resume point of an episode that isn't playing.
    var onAdopted: (@Core (EpisodeID, Seconds) -> Void)?
    /// Something waits until this moment.
    var onWaiting: (@Core (Instant) -> Void)?

    /// So often the server may answer 409 in a row before it is left alone for a while.
    private static let mostConflicts = 3

    init(
        store: any Outbox, server: IpxServer, clock: @escaping @Core () -> ServerClock,
        playing: @escaping @Core () -> EpisodeID?, log: Log
    ) {
        self.store = store
        self.server = server
        self.clock = clock
        self.playing = playing
        self.log = log
    }

    /// Sends what may be sent now; throws at the first call that gave nothing, with everything unsent still there.
    func send() async throws(CallFailure) {
        var conflicts = 0
        while true {
            let unsent = try stored { () throws(Failure) in try store.unsent(limit: 20) }
            switch rhythm.next(unsent, playing: playing(), at: monotonicNow()) {
            case .push(let held): if try await push(held) == .conflicted { conflicts += 1 } else { conflicts = 0 }
            case .wait(let moment):
                onWaiting?(moment)
                return
            case .nothing: return
            }
            if conflicts > Self.mostConflicts {
                throw CallFailure(.tryLater(status: 409), "the server refuses every version")
            }
        }
    }

    private enum Outcome { case done, conflicted }

    private func push(_ listed: Held) async throws(CallFailure) -> Outcome {
        let id = listed.record.episode
        rhythm.began(id, at: monotonicNow())
        guard let held = try await readFirst(listed), let kind = held.nextPush else { return .done }
        let answer = try await put(kind, held)
        switch answer {
        case .accepted(let version, let updated):
            let place = kind == .position ? held.record.position : nil
            try stored { () throws(Failure) in
                try store.acknowledge(
                    kind, id, sequence: held.sequence, PushAnswer(version: version, updated: updated, position: place))
            }
        case .conflict(let entry):
            try settle(entry, from: .conflict)
            return .conflicted
        case .gone, .unsupported:
            log.info("the server does not take this, kept on the box", ["feed": id.feed, "guid": id.guid])
            try stored { () throws(Failure) in try store.refuse(kind, id, sequence: held.sequence) }
        }
        return .done
    }

    /// The record to push on top of the version just read; nil when the server's own stands.
    private func readFirst(_ held: Held) async throws(CallFailure) -> Held? {
        guard held.needsFetch else { return held }
        let id = held.record.episode
        do throws(CallFailure) {
            try settle(try await server.entry(id), from: .beforePush)
        } catch {
            guard error.kind == .notFound, let kind = held.nextPush else { throw error }
            try stored { () throws(Failure) in try store.refuse(kind, id, sequence: held.sequence) }
            return nil
        }
        return try stored { () throws(Failure) in try store.held(id) }
    }

    private func put(_ kind: PushKind, _ held: Held) async throws(CallFailure) -> WriteOutcome {
        guard let at = clock().sendable(held.record.listened, at: monotonicNow()) else {
            throw CallFailure(.waitingForTime, "no answer told the time yet")
        }
        switch kind {
        case .read: return try await server.putRead(held.record.episode, read: true, at: at)
        case .position: return try await server.putPosition(held.record, at: at)
        }
    }

    /// Takes in what the server says of an entry.
    func settle(_ entry: Episode, from source: EntrySource) throws(CallFailure) {
        let isPlaying = playing() == entry.id
        let now = monotonicNow()
        let resolution = try stored { () throws(Failure) in
            let stamp = try store.held(entry.id)?.record.listened
            return try store.settle(
                entry, from: source, isPlaying: isPlaying, times: clock().times(for: stamp, at: now))
        }
        guard let resolution, resolution.outcome == .adopt else { return }
        onAdopted?(entry.id, resolution.held.record.position)
    }

    private func stored<T>(_ body: () throws(Failure) -> T) throws(CallFailure) -> T {
        do { return try body() } catch { throw CallFailure(.internal, "the store failed: \(error)") }
    }
}
