import EventLoop
import Library
import Playback
import SQLite

extension Store: PositionStore {
    /// Position, outbox and journal in one transaction.
    public func store(_ record: PositionRecord, reason: Heard.Reason) throws(Failure) {
        try change { (database) throws(SQLiteError) in
            try database.hear(record, reason: reason.rawValue, isUrgent: reason != .interval)
        }
    }

    public func record(of episode: EpisodeID) throws(Failure) -> PositionRecord? { try held(episode)?.record }

    public func setCurrent(_ episode: EpisodeID?, wasPlaying: Bool) throws(Failure) {
        // Said often, changed seldom: an unchanged row costs no write.
        let former = try access { (database) throws(SQLiteError) in try database.current() }
        guard former?.id != episode || (former?.wasPlaying ?? false) != wasPlaying else { return }
        try change { (database) throws(SQLiteError) in
            guard let episode else { return _ = try database.run("DELETE FROM current") }
            try database.run(
                "INSERT OR REPLACE INTO current (id, episode, was_playing) VALUES (1, ?, ?)", database.numbered(episode),
                wasPlaying)
        }
    }

    /// The entry as last known; only its identity if it was never remembered.
    public func current() throws(Failure) -> (episode: Episode, wasPlaying: Bool)? {
        try access { (database) throws(SQLiteError) in
            guard let (id, wasPlaying) = try database.current() else { return nil }
            return (try database.entry(id) ?? Episode(id: id, title: "", feedTitle: ""), wasPlaying)
        }
    }
}

extension Connection {
    fileprivate func current() throws(SQLiteError) -> (id: EpisodeID, wasPlaying: Bool)? {
        try first(
            "SELECT e.server, e.feed, e.guid, c.was_playing FROM current c JOIN episode e ON e.id = c.episode"
        ) { (EpisodeID($0), $0.bool(3)) }
    }

    @discardableResult
    func hear(_ record: PositionRecord, reason: String, isUrgent: Bool) throws(SQLiteError) -> Held {
        let number = try numbered(record.episode)
        let former = try held(number)
        let new = Held.hearing(record, on: former, entry: try entry(record.episode), isUrgent: isUrgent)
        try note(new.record, number, reason: reason, other: former?.record.position)
        try hold(new, number)
        return new
    }
}
