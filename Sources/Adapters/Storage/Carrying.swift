import SQLite

/// Carries rows into a sound store; rows that are there already stay. Nothing here throws: what can't be read is left behind.
struct Carrying {
    struct Counts {
        var episodes = 0
        var positions = 0
        var journal = 0
    }

    let target: Connection

    init(to target: Connection) { self.target = target }

    /// From a store that may be damaged anywhere.
    func takeAll(from path: String) {
        guard let source = try? Connection(path, .readOnly) else { return }
        inTransaction {
            for table in Schema.all { take(table, from: source) }
            takeIdentities(from: source)
            holdFromJournal()
        }
    }

    /// From the copy of the precious rows. They are older, so where the server moved on, its version has to be asked first.
    func restore(from path: String) {
        guard let source = try? Connection(path, .readOnly) else { return }
        inTransaction {
            let known = (try? target.first("SELECT max(id) FROM journal") { $0.int(0) ?? 0 }) ?? 0
            for table in Schema.precious where table != "held" { take(table, from: source) }
            take("held", from: source) { columns, values in
                var values = values
                for (name, value) in [("base_version", SQLiteValue.null), ("since", .integer(Int64(known)))] {
                    if let index = columns.firstIndex(of: name) { values[index] = value }
                }
                return values
            }
        }
    }

    /// From a sound store: what can't be had again, with only the identities it speaks of.
    func takePrecious(from source: Connection) {
        inTransaction {
            for table in ["held", "current", "fact"] { take(table, from: source) }
            try? source.forEach(
                """
                SELECT id, server, feed, guid FROM episode WHERE id IN (SELECT id FROM held UNION SELECT episode FROM current)
                """
            ) { insertIdentity($0) }
        }
    }

    func counts() -> Counts {
        func count(_ table: String) -> Int {
            (try? target.first("SELECT count(*) FROM \(table)") { $0.int(0) }) as? Int ?? 0
        }
        return Counts(episodes: count("episode"), positions: count("held"), journal: count("journal"))
    }

    /// One commit for all: each alone would wait for the disk.
    private func inTransaction(_ body: () -> Void) {
        try? target.transaction { body() }
    }

    private func take(
        _ table: String, from source: Connection, _ adapt: ([String], [SQLiteValue]) -> [SQLiteValue] = { $1 }
    ) {
        let theirs = Set(columns(of: table, in: source))
        let shared = columns(of: table, in: target).filter(theirs.contains)
        guard !shared.isEmpty else { return }
        let marks = shared.map { _ in "?" }.joined(separator: ", ")
        let insert = "INSERT OR IGNORE INTO \(table) (\(shared.joined(separator: ", "))) VALUES (\(marks))"
        source.salvage(table, columns: shared) { values in
            // A row that the schema refuses was damaged itself.
            _ = try? target.run(insert, values: adapt(shared, values))
        }
    }

    /// The index over identities is a second copy of them.
    private func takeIdentities(from source: Connection) {
        try? source.forEach("SELECT id, server, feed, guid FROM episode INDEXED BY sqlite_autoindex_episode_1") {
            insertIdentity($0)
        }
    }

    private func insertIdentity(_ row: borrowing Row) -> Bool {
        _ = try? target.run(
            "INSERT OR IGNORE INTO episode (id, server, feed, guid) VALUES (?, ?, ?, ?)",
            row.integer(0), row.text(1), row.text(2), row.text(3))
        return true
    }

    /// The newest journal row of an episode tells its position again. Whether it was sent is not known: it is, once more.
    private func holdFromJournal() {
        try? target.execute(
            """
            INSERT OR IGNORE INTO held (id, enclosure, position, duration, is_read, is_finished, boot, at, wall, is_uncertain,
                unsent, sequence, is_urgent, since)
            SELECT episode, enclosure, position, duration, is_read, is_finished, boot, at, wall, is_uncertain,
                CASE WHEN boot = '' THEN 0 ELSE 1 + 2 * is_read END, 1, 1, id
            FROM journal WHERE id IN (SELECT max(id) FROM journal GROUP BY episode);
            DELETE FROM held WHERE id NOT IN (SELECT id FROM episode);
            """)
    }

    private func columns(of table: String, in database: Connection) -> [String] {
        (try? database.query("SELECT name FROM pragma_table_info('\(table)')") { $0.text(0) ?? "" }) ?? []
    }
}
