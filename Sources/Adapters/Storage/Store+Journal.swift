import EventLoop
import Library
import Playback
import SQLite

extension Store {
    /// Rows kept of the journal: years of driving, since undisturbed play is one row.
    static let journalLength = 50_000

    /// An episode's changes, the newest first.
    public func history(of episode: EpisodeID, limit: Int = 100) throws(Failure) -> [PositionChange] {
        try access { (database) throws(SQLiteError) in
            guard let number = try database.number(of: episode) else { return [] }
            return try database.query(
                """
                SELECT e.server, e.feed, e.guid, j.id, j.position, j.other, j.reason, j.boot, j.at, j.wall, j.is_uncertain
                FROM journal j JOIN episode e ON e.id = j.episode WHERE j.episode = ? ORDER BY j.id DESC LIMIT ?
                """, number, limit
            ) { PositionChange($0) }
        }
    }

    /// Brings back the value that the newest change with two values replaced, as a change of its own that is sent. Nil: there
    /// is none.
    @discardableResult
    public func undo(_ episode: EpisodeID, at stamp: Stamp) throws(Failure) -> PositionRecord? {
        try change { (database) throws(SQLiteError) in
            guard let number = try database.number(of: episode), var record = try database.held(number)?.record,
                let other = try database.replaced(number)
            else { return nil }
            record.position = other
            record.isFinished = false
            record.listened = stamp
            return try database.hear(record, reason: PositionChange.Cause.undo.rawValue, isUrgent: true).record
        }
    }

    /// Lets the oldest rows go, a thousand at a time so that no call takes long. True when there are more.
    public func trimJournal() throws(Failure) -> Bool {
        try access { (database) throws(SQLiteError) in
            try database.run(
                """
                DELETE FROM journal WHERE id IN (SELECT id FROM journal WHERE id <= (SELECT max(id) FROM journal) - ?
                ORDER BY id LIMIT 1000)
                """, Self.journalLength) == 1000
        }
    }
}

extension Connection {
    /// Play that runs on moves the end of its row: a row for each interval would say nothing and wear the card.
    func note(_ record: PositionRecord, _ number: Int, reason: String, other: Double?) throws(SQLiteError) {
        if reason == Heard.Reason.interval.rawValue, try extend(record, number) { return }
        let stamp = record.listened
        try run(
            """
            INSERT INTO journal (episode, reason, position, other, enclosure, duration, is_read, is_finished, boot, at, wall,
                is_uncertain) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            number, reason, record.position, other, record.enclosure, record.duration, record.isRead, record.isFinished,
            stamp.boot, stamp.at.nanoseconds, stamp.wall?.milliseconds, stamp.isUncertain)
    }

    private func extend(_ record: PositionRecord, _ number: Int) throws(SQLiteError) -> Bool {
        let stamp = record.listened
        return try run(
            """
            UPDATE journal SET position = ?, duration = ?, is_read = ?, at = ?, wall = ?, is_uncertain = ?
            WHERE id = (SELECT max(id) FROM journal) AND episode = ? AND reason = ? AND boot = ? AND enclosure = ?
            """,
            record.position, record.duration, record.isRead, stamp.at.nanoseconds, stamp.wall?.milliseconds,
            stamp.isUncertain, number, Heard.Reason.interval.rawValue, stamp.boot, record.enclosure) > 0
    }

    fileprivate func replaced(_ number: Int) throws(SQLiteError) -> Double? {
        let found = try first(
            "SELECT other FROM journal WHERE episode = ? AND other IS NOT NULL AND other <> position ORDER BY id DESC LIMIT 1",
            number
        ) { $0.real(0) }
        return found ?? nil
    }
}

extension PositionChange {
    fileprivate init(_ row: borrowing Row) {
        self.init(
            number: row.int(3) ?? 0, episode: EpisodeID(row), position: row.real(4) ?? 0, other: row.real(5),
            reason: row.text(6) ?? "", stamp: Stamp(row, from: 7))
    }
}
