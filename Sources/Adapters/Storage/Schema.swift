/// The tables, as migrations in the order they came: only ever add one.
enum Schema {
    static let migrations = [first]

    /// `episode` gives every identity a number; the other tables speak of it by that. `held` is position and outbox in one
    /// row, so that the two can't part. Partial indexes keep the few unsent rows at hand among the many.
    private static let first = """
        CREATE TABLE episode (
            id INTEGER PRIMARY KEY, server TEXT NOT NULL, feed TEXT NOT NULL, guid TEXT NOT NULL,
            UNIQUE (server, feed, guid)
        ) STRICT;
        CREATE TABLE entry (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, feed_title TEXT NOT NULL, published INTEGER, duration REAL,
            position REAL, is_read INTEGER NOT NULL, updated INTEGER, version INTEGER, artwork TEXT,
            is_listed INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX entry_listed ON entry (published) WHERE is_listed = 1;
        CREATE TABLE enclosure (
            id INTEGER PRIMARY KEY, entry INTEGER NOT NULL, number INTEGER NOT NULL, url TEXT NOT NULL, type TEXT,
            length INTEGER
        ) STRICT;
        CREATE INDEX enclosure_entry ON enclosure (entry);
        CREATE TABLE chapter (
            id INTEGER PRIMARY KEY, entry INTEGER NOT NULL, start REAL NOT NULL, title TEXT NOT NULL
        ) STRICT;
        CREATE INDEX chapter_entry ON chapter (entry);
        CREATE TABLE held (
            id INTEGER PRIMARY KEY, enclosure INTEGER NOT NULL, position REAL NOT NULL, duration REAL,
            is_read INTEGER NOT NULL, is_finished INTEGER NOT NULL, boot TEXT NOT NULL, at INTEGER NOT NULL, wall INTEGER,
            is_uncertain INTEGER NOT NULL, base_version INTEGER, base_updated INTEGER, base_position REAL,
            unsent INTEGER NOT NULL, sequence INTEGER NOT NULL, is_urgent INTEGER NOT NULL, since INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX held_unsent ON held (since) WHERE unsent <> 0;
        CREATE INDEX held_timeless ON held (boot) WHERE wall IS NULL OR is_uncertain = 1;
        CREATE TABLE journal (
            id INTEGER PRIMARY KEY, episode INTEGER NOT NULL, reason TEXT NOT NULL, position REAL NOT NULL, other REAL,
            enclosure INTEGER NOT NULL, duration REAL, is_read INTEGER NOT NULL, is_finished INTEGER NOT NULL,
            boot TEXT NOT NULL, at INTEGER NOT NULL, wall INTEGER, is_uncertain INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX journal_episode ON journal (episode, id);
        CREATE TABLE current (
            id INTEGER PRIMARY KEY CHECK (id = 1), episode INTEGER NOT NULL, was_playing INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE part (
            id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, present TEXT NOT NULL, etag TEXT, last_modified TEXT,
            total INTEGER
        ) STRICT;
        CREATE TABLE kept (id INTEGER PRIMARY KEY, by_hand INTEGER NOT NULL) STRICT;
        CREATE TABLE fact (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value TEXT NOT NULL) STRICT;
        """

    /// What can't be had again from the server, and is copied beside the store.
    static let precious = ["episode", "held", "current", "fact"]
    /// Checked at every start: small whatever the library's size. The others are found damaged when they are read.
    static let checked = ["held", "current", "fact"]
    static let all = precious + ["entry", "enclosure", "chapter", "journal", "part", "kept"]
}
