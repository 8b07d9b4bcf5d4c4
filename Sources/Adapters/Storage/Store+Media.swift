import EventLoop
import Library
import SQLite

/// What is known of a file that is being fetched.
public struct PartFacts: Hashable, Sendable {
    /// Bytes that are in the file, ascending and apart.
    public var present: [Range<Int64>]
    public var etag: String?
    public var lastModified: String?
    /// Bytes in all, once announced.
    public var total: Int64?

    public init(present: [Range<Int64>], etag: String? = nil, lastModified: String? = nil, total: Int64? = nil) {
        self.present = present
        self.etag = etag
        self.lastModified = lastModified
        self.total = total
    }
}

extension Store {
    /// `key` is the fetcher's own name for the file.
    public func part(_ key: String) throws(Failure) -> PartFacts? {
        try access { (database) throws(SQLiteError) in
            try database.first("SELECT present, etag, last_modified, total FROM part WHERE key = ?", key) { row in
                PartFacts(
                    present: ranges(row.text(0) ?? ""), etag: row.text(1), lastModified: row.text(2), total: row.integer(3))
            }
        }
    }

    public func setPart(_ part: PartFacts?, _ key: String) throws(Failure) {
        try change { (database) throws(SQLiteError) in
            guard let part else { return _ = try database.run("DELETE FROM part WHERE key = ?", key) }
            let present = part.present.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
            try database.run(
                """
                INSERT INTO part (key, present, etag, last_modified, total) VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (key) DO UPDATE SET present = ?2, etag = ?3, last_modified = ?4, total = ?5
                """, key, present, part.etag, part.lastModified, part.total)
        }
    }

    public func partKeys() throws(Failure) -> [String] {
        try access { (database) throws(SQLiteError) in try database.query("SELECT key FROM part") { $0.text(0) ?? "" } }
    }

    /// Episodes whose file is wanted in the cache, and whether a person asked for it.
    public func kept() throws(Failure) -> [EpisodeID: Bool] {
        let rows = try access { (database) throws(SQLiteError) in
            try database.query(
                "SELECT e.server, e.feed, e.guid, k.by_hand FROM kept k JOIN episode e ON e.id = k.id"
            ) { (EpisodeID($0), $0.bool(3)) }
        }
        return Dictionary(rows) { $1 }
    }

    /// `byHand` nil: no longer kept.
    public func setKept(_ episode: EpisodeID, byHand: Bool?) throws(Failure) {
        try change { (database) throws(SQLiteError) in
            let number = try database.numbered(episode)
            guard let byHand else { return _ = try database.run("DELETE FROM kept WHERE id = ?", number) }
            try database.run("INSERT OR REPLACE INTO kept (id, by_hand) VALUES (?, ?)", number, byHand)
        }
    }
}

private func ranges(_ text: String) -> [Range<Int64>] {
    text.split(separator: ",").compactMap { pair in
        let ends = pair.split(separator: "-").compactMap { Int64($0) }
        return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
}
