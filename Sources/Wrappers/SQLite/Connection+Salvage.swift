extension Connection {
    /// Rows of a table that may lie in a damaged file: from the front until the damage, then from the back until it. What is
    /// between two damaged pages stays lost. Never throws: whatever can't be read is not there.
    public func salvage(_ table: String, columns: [String], _ visit: ([SQLiteValue]) -> Void) {
        let list = (["rowid"] + columns).joined(separator: ", ")
        var last = Int64.min
        func read(_ row: borrowing Row) -> (Int64, [SQLiteValue]) {
            (row.integer(0) ?? 0, (1...columns.count).map { row.value($0) })
        }
        do {
            try forEach("SELECT \(list) FROM \(table) NOT INDEXED ORDER BY rowid") { row in
                let (number, values) = read(row)
                last = number
                visit(values)
                return true
            }
        } catch {
            try? forEach("SELECT \(list) FROM \(table) NOT INDEXED ORDER BY rowid DESC") { row in
                let (number, values) = read(row)
                guard number > last else { return false }
                visit(values)
                return true
            }
        }
    }
}
