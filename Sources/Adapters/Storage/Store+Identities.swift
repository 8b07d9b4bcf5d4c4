import Library
import SQLite

extension Connection {
    /// The episode's number here, if it has one.
    func number(of episode: EpisodeID) throws(SQLiteError) -> Int? {
        let found = try first(
            "SELECT id FROM episode WHERE server = ? AND feed = ? AND guid = ?", episode.server, episode.feed, episode.guid
        ) { $0.int(0) }
        return found ?? nil
    }

    func numbered(_ episode: EpisodeID) throws(SQLiteError) -> Int {
        if let number = try number(of: episode) { return number }
        try run("INSERT INTO episode (server, feed, guid) VALUES (?, ?, ?)", episode.server, episode.feed, episode.guid)
        return Int(lastInsertedRow)
    }

    func held(_ number: Int) throws(SQLiteError) -> Held? {
        try first("SELECT \(Held.columns) FROM held h JOIN episode e ON e.id = h.id WHERE h.id = ?", number) { Held($0) }
    }

    func held(_ episode: EpisodeID) throws(SQLiteError) -> Held? {
        guard let number = try number(of: episode) else { return nil }
        return try held(number)
    }

    /// `since` stands while something stays unsent, so that the longest waiting is known without touching the index.
    func hold(_ held: Held, _ number: Int) throws(SQLiteError) {
        let record = held.record
        let stamp = record.listened
        try run(
            """
            INSERT INTO held (id, enclosure, position, duration, is_read, is_finished, boot, at, wall, is_uncertain,
                base_version, base_updated, base_position, unsent, sequence, is_urgent, since)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
                (SELECT coalesce(max(id), 0) FROM journal))
            ON CONFLICT (id) DO UPDATE SET enclosure = ?2, position = ?3, duration = ?4, is_read = ?5, is_finished = ?6,
                boot = ?7, at = ?8, wall = ?9, is_uncertain = ?10, base_version = ?11, base_updated = ?12,
                base_position = ?13, since = CASE WHEN unsent = 0 THEN excluded.since ELSE since END, unsent = ?14,
                sequence = ?15, is_urgent = ?16
            """,
            number, record.enclosure, record.position, record.duration, record.isRead, record.isFinished, stamp.boot,
            stamp.at.nanoseconds, stamp.wall?.milliseconds, stamp.isUncertain, held.base.version,
            held.base.updated?.milliseconds, held.base.position, held.unsent.rawValue, held.sequence, held.isUrgent)
    }
}
