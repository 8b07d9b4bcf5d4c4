import EventLoop
import Linux
import SQLite

extension SQLiteError {
    /// Of a file that can't be used as it is.
    var needsRescue: Bool { isDamage || self == .laterSchema || isMissingTable }

    /// Made by a later program than this one.
    static let laterSchema = SQLiteError(code: 0, message: "made by a later version")

    static func faults(_ faults: [String]) -> SQLiteError {
        // SQLITE_CORRUPT (sqlite.org/rescode.html): `quick_check` reports as rows what a read would throw.
        SQLiteError(code: 11, message: faults.prefix(3).joined(separator: "; "))
    }

    /// A database whose list of tables is gone but for its version number.
    private var isMissingTable: Bool { code == 1 && message.hasPrefix("no such table") }
}

extension Store {
    /// A connection with the settings a power cut asks for.
    static func open(_ path: String) throws(SQLiteError) -> Connection {
        let database = try Connection(path)
        // Checked cells keep a damaged page from being believed. The cache is small: the working set is a few pages.
        try database.execute(
            """
            PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -1024;
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            """)
        guard try database.schemaVersion() <= Schema.migrations.count else { throw .laterSchema }
        try database.migrate(Schema.migrations)
        return database
    }

    /// Opens and checks what can't be had again; the big tables are checked by reading them, when they are read.
    static func openChecked(_ files: StoreFiles) throws(SQLiteError) -> Connection {
        let isEmpty = SmallFile.isEmpty(files.database)
        let database = try open(files.database)
        for table in Schema.checked {
            let faults = try database.faults(inTable: table)
            guard faults.isEmpty else { throw .faults(faults) }
        }
        // An empty file beside a good copy is what a bad card makes of a store.
        if isEmpty, SmallFile.exists(files.copy) { Carrying(to: database).restore(from: files.copy) }
        return database
    }

    /// Makes a new store out of what can be read of the damaged one and of its copy.
    static func rebuild(_ files: StoreFiles) throws(StoreError) -> (Connection, Rescue) {
        try StoreError.from(files.fresh) { () throws(Errno) in
            try files.removeFresh()
            try SmallFile.create(files.fresh, mode: 0o600)
        }
        let counts = try StoreError.from(files.fresh) { () throws(SQLiteError) in try carryOver(files) }
        let aside = try StoreError.from(files.database) { () throws(Errno) in try files.replace() }
        let rescue = Rescue(setAside: aside, episodes: counts.episodes, positions: counts.positions, journal: counts.journal)
        return (try StoreError.from(files.database) { () throws(SQLiteError) in try open(files.database) }, rescue)
    }

    /// Closing the new store at the end brings its log into the file.
    private static func carryOver(_ files: StoreFiles) throws(SQLiteError) -> Carrying.Counts {
        let carrying = Carrying(to: try open(files.fresh))
        carrying.takeAll(from: files.database)
        carrying.restore(from: files.copy)
        return carrying.counts()
    }
}
