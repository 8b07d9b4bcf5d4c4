import EventLoop

/// What the server has not acknowledged yet, durable: it outlives restarts and cuts of power. One entry for each episode, the
/// newest. To send one: `Held.needsFetch` → read the entry and `settle` it; `Held.nextPush` → send that; the answer →
/// `acknowledge`, 409 → `settle` with the entry it brought, gone for good → `refuse`.
@Core
public protocol Outbox: AnyObject {
    /// Episodes with something unsent, the longest waiting first; never entries the server has no name for.
    func unsent(limit: Int) throws(Failure) -> [Held]
    /// What is held of one episode, unsent or not.
    func held(_ episode: EpisodeID) throws(Failure) -> Held?
    /// The read mark, to be delivered once (POS-07).
    func markRead(_ episode: EpisodeID, at stamp: Stamp) throws(Failure)
    /// The server took the push of the change `sequence`; a newer change stays unsent.
    func acknowledge(_ kind: PushKind, _ episode: EpisodeID, sequence: Int, _ answer: PushAnswer) throws(Failure)
    /// The server will never take it (404, 400): kept here, no longer sent.
    func refuse(_ kind: PushKind, _ episode: EpisodeID, sequence: Int) throws(Failure)
    /// What the server says of an episode, by the rules of `Merge`; stored with its journal row. Nil: nothing held, nothing said.
    @discardableResult
    func settle(_ remote: Episode, from source: EntrySource, isPlaying: Bool, times: SyncTimes) throws(Failure)
        -> Resolution?
    /// Gives the records of this boot their wall time, once the server's clock is known.
    func settleStamps(by clock: ServerClock) throws(Failure)
}
