extension Connection {
    /// The number of migrations done (`PRAGMA user_version`).
    public func schemaVersion() throws(SQLiteError) -> Int {
        try first("PRAGMA user_version") { $0.int(0) ?? 0 } ?? 0
    }

    /// Brings the schema up: runs the scripts that this file has not seen, each with its number in one transaction.
    /// A file of a later program is left alone: check `schemaVersion` first.
    public func migrate(_ scripts: [String]) throws(SQLiteError) {
        for number in try schemaVersion()..<max(scripts.count, try schemaVersion()) {
            try transaction { () throws(SQLiteError) in
                try execute(scripts[number])
                // A pragma takes no parameters.
                try execute("PRAGMA user_version = \(number + 1)")
            }
        }
    }

    /// `PRAGMA quick_check`, of one table and its indexes or of the whole file: what is wrong, nothing if all is well.
    public func faults(inTable table: String? = nil) throws(SQLiteError) -> [String] {
        let scope = table.map { "('\($0)')" } ?? ""
        do {
            return try query("PRAGMA quick_check\(scope)") { $0.text(0) ?? "" }.filter { $0 != "ok" }
        } catch {
            // Some damage stops the check itself.
            guard error.isDamage else { throw error }
            return [error.message]
        }
    }
}
