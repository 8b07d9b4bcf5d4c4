import EventLoop
import Library

/// An outbox in memory, by the same rules as the store's.
@Core
public final class FakeOutbox: Outbox {
    /// The server's entries as the box knows them: the base of a first record.
    public var entries: [EpisodeID: Episode] = [:]
    /// Set: every call fails with it, as on a full disk.
    public var failure: Failure?
    public private(set) var records: [EpisodeID: Held] = [:]
    /// Episodes with something unsent, the longest waiting first.
    private var waiting: [EpisodeID] = []

    public init() {}

    public func unsent(limit: Int) throws(Failure) -> [Held] {
        try check()
        return Array(waiting.compactMap { records[$0] }.filter { $0.nextPush != nil }.prefix(limit))
    }

    public func held(_ episode: EpisodeID) throws(Failure) -> Held? {
        try check()
        return records[episode]
    }

    func hear(_ record: PositionRecord, isUrgent: Bool) throws(Failure) {
        try check()
        keep(.hearing(record, on: records[record.episode], entry: entries[record.episode], isUrgent: isUrgent))
    }

    public func markRead(_ episode: EpisodeID, at stamp: Stamp) throws(Failure) {
        try check()
        keep(.marking(episode, read: stamp, on: records[episode], entry: entries[episode]))
    }

    public func acknowledge(
        _ kind: PushKind, _ episode: EpisodeID, sequence: Int, _ answer: PushAnswer
    ) throws(Failure) {
        try check()
        keep(records[episode]?.acknowledging(kind, sequence: sequence, answer))
    }

    public func refuse(_ kind: PushKind, _ episode: EpisodeID, sequence: Int) throws(Failure) {
        try check()
        keep(records[episode]?.refused(kind, sequence: sequence))
    }

    @discardableResult
    public func settle(
        _ remote: Episode, from source: EntrySource, isPlaying: Bool, times: SyncTimes
    ) throws(Failure) -> Resolution? {
        try check()
        guard let held = records[remote.id] else { return Merge.settle(nil, with: remote, from: source, times: times) }
        let settled =
            isPlaying
            ? Merge.settlePlaying(held, with: remote, from: source)
            : Merge.settle(held, with: remote, from: source, times: times)
        keep(settled?.held)
        return settled
    }

    public func settleStamps(by clock: ServerClock) throws(Failure) {
        try check()
        for held in records.values { keep(held.stamped(by: clock)) }
    }

    private func check() throws(Failure) {
        if let failure { throw failure }
    }

    private func keep(_ held: Held?) {
        guard let held else { return }
        let episode = held.record.episode
        records[episode] = held
        if held.unsent.isEmpty {
            waiting.removeAll { $0 == episode }
        } else if !waiting.contains(episode) {
            waiting.append(episode)
        }
    }
}
