import EventLoop
import Library
import SQLite

extension Store {
    /// The server's whole list of unread entries as just fetched; those that are gone from it are forgotten unless they are
    /// held, kept or current. An answer that is none must not come here (ipx-api.md).
    public func setListed(_ entries: [Episode]) throws(Failure) {
        try change { (database) throws(SQLiteError) in
            var gone = Set(try database.query("SELECT id FROM entry WHERE is_listed = 1") { $0.int(0) ?? 0 })
            for entry in entries { gone.remove(try database.remember(entry, isListed: true)) }
            for number in gone { try database.unlist(number) }
        }
    }

    /// One entry, listed or not: what a phone selected, or a single read.
    public func remember(_ entry: Episode) throws(Failure) {
        try change { (database) throws(SQLiteError) in _ = try database.remember(entry, isListed: nil) }
    }

    public func entry(_ episode: EpisodeID) throws(Failure) -> Episode? {
        try access { (database) throws(SQLiteError) in try database.entry(episode) }
    }

    /// Listed entries by date, at most `limit`; all of `feed` come first, oldest first. What `EpisodeQueue` puts in order.
    public func listed(feed: EpisodeID? = nil, newestFirst: Bool = false, limit: Int = 200) throws(Failure) -> [Episode] {
        try access { (database) throws(SQLiteError) in
            var numbers = try feed.map { (id) throws(SQLiteError) in try database.listed(inFeedOf: id, limit: limit) } ?? []
            let known = Set(numbers)
            numbers += try database.listed(newestFirst: newestFirst, limit: limit).filter { !known.contains($0) }
            return try database.entries(numbers.prefix(limit))
        }
    }
}

extension Connection {
    func entry(_ episode: EpisodeID) throws(SQLiteError) -> Episode? {
        guard let number = try number(of: episode) else { return nil }
        return try entries([number]).first
    }

    fileprivate func entries(_ numbers: some Sequence<Int>) throws(SQLiteError) -> [Episode] {
        var entries: [Episode] = []
        for number in numbers {
            let found = try first(
                "SELECT \(Episode.columns) FROM entry n JOIN episode e ON e.id = n.id WHERE n.id = ?", number
            ) { Episode($0) }
            guard var entry = found else { continue }
            entry.enclosures = try enclosures(number)
            entry.chapters = try chapters(number)
            entries.append(entry)
        }
        return entries
    }

    private func enclosures(_ number: Int) throws(SQLiteError) -> [Enclosure] {
        try query("SELECT number, url, type, length FROM enclosure WHERE entry = ? ORDER BY id", number) {
            Enclosure(number: $0.int(0) ?? 0, url: $0.text(1) ?? "", type: $0.text(2), length: $0.integer(3))
        }
    }

    private func chapters(_ number: Int) throws(SQLiteError) -> [Chapter] {
        try query("SELECT start, title FROM chapter WHERE entry = ? ORDER BY id", number) {
            Chapter(start: $0.real(0) ?? 0, title: $0.text(1) ?? "")
        }
    }

    fileprivate func listed(inFeedOf id: EpisodeID, limit: Int) throws(SQLiteError) -> [Int] {
        try query(
            """
            SELECT n.id FROM episode e JOIN entry n ON n.id = e.id WHERE e.server = ? AND e.feed = ? AND n.is_listed = 1
            ORDER BY n.published IS NULL, n.published LIMIT ?
            """, id.server, id.feed, limit
        ) { $0.int(0) ?? 0 }
    }

    /// Undated ones come last either way; asked for apart, so that the index serves both.
    fileprivate func listed(newestFirst: Bool, limit: Int) throws(SQLiteError) -> [Int] {
        let way = newestFirst ? "DESC" : "ASC"
        let dated = try query(
            "SELECT id FROM entry WHERE is_listed = 1 AND published IS NOT NULL ORDER BY published \(way) LIMIT ?", limit
        ) { $0.int(0) ?? 0 }
        guard dated.count < limit else { return dated }
        return dated
            + (try query(
                "SELECT id FROM entry WHERE is_listed = 1 AND published IS NULL LIMIT ?", limit - dated.count
            ) { $0.int(0) ?? 0 })
    }

    /// Writes only what has changed: most of a list is as it was. `isListed` nil leaves that as it is.
    fileprivate func remember(_ entry: Episode, isListed: Bool?) throws(SQLiteError) -> Int {
        let number = try numbered(entry.id)
        let wasListed = try first("SELECT is_listed FROM entry WHERE id = ?", number) { $0.bool(0) }
        let listed = isListed ?? wasListed ?? false
        if wasListed == listed, try entries([number]).first == entry { return number }
        try run(
            """
            INSERT OR REPLACE INTO entry (id, title, feed_title, published, duration, position, is_read, updated, version,
                artwork, is_listed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            number, entry.title, entry.feedTitle, entry.published?.milliseconds, entry.duration, entry.position,
            entry.isRead, entry.updated?.milliseconds, entry.version, entry.artwork, listed)
        try replaceParts(of: entry, number)
        return number
    }

    private func replaceParts(of entry: Episode, _ number: Int) throws(SQLiteError) {
        if try enclosures(number) != entry.enclosures {
            try run("DELETE FROM enclosure WHERE entry = ?", number)
            for enclosure in entry.enclosures {
                try run(
                    "INSERT INTO enclosure (entry, number, url, type, length) VALUES (?, ?, ?, ?, ?)", number,
                    enclosure.number, enclosure.url, enclosure.type, enclosure.length)
            }
        }
        if try chapters(number) != entry.chapters {
            try run("DELETE FROM chapter WHERE entry = ?", number)
            for chapter in entry.chapters {
                try run("INSERT INTO chapter (entry, start, title) VALUES (?, ?, ?)", number, chapter.start, chapter.title)
            }
        }
    }

    fileprivate func unlist(_ number: Int) throws(SQLiteError) {
        try run("UPDATE entry SET is_listed = 0 WHERE id = ?", number)
        try forget(number)
    }

    /// Nobody needs the entry: neither its position, nor its file, nor the player.
    func forget(_ number: Int) throws(SQLiteError) {
        let isNeeded = try first(
            """
            SELECT EXISTS (SELECT 1 FROM held WHERE id = ?1) OR EXISTS (SELECT 1 FROM kept WHERE id = ?1)
                OR EXISTS (SELECT 1 FROM current WHERE episode = ?1)
                OR EXISTS (SELECT 1 FROM journal WHERE episode = ?1)
            """, number
        ) { $0.bool(0) }
        guard isNeeded == false else { return }
        for table in ["enclosure", "chapter"] { try run("DELETE FROM \(table) WHERE entry = ?", number) }
        try run("DELETE FROM entry WHERE id = ?", number)
        try run("DELETE FROM episode WHERE id = ?", number)
    }
}
