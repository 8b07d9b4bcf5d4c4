import CSQLite

/// A prepared statement; finalized with this object, which its connection outlives.
final class Statement {
    private let handle: OpaquePointer
    private let database: OpaquePointer

    init(_ database: OpaquePointer, _ sql: String) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK else { throw .of(database, code) }
        // Nothing but spaces and comments prepares to no statement.
        guard let handle else { throw SQLiteError(code: SQLITE_MISUSE, message: "empty statement") }
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ values: [any SQLiteConvertible]) throws(SQLiteError) {
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw SQLiteError(code: SQLITE_RANGE, message: "\(values.count) values for another number of parameters")
        }
        for (index, value) in values.enumerated() {
            let code = bind(value.sqliteValue, Int32(index + 1))
            guard code == SQLITE_OK else { throw .of(database, code) }
        }
    }

    private func bind(_ value: SQLiteValue, _ index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .real(let number): sqlite3_bind_double(handle, index, number)
        case .text(let text): csqlite_bind_text(handle, index, text, UInt64(text.utf8.count))
        // A blob without bytes would have no address, which means null.
        case .blob(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(handle, index, 0)
        case .blob(let bytes): csqlite_bind_blob(handle, index, bytes, UInt64(bytes.count))
        }
    }

    /// The next row, or nil after the last.
    func step() throws(SQLiteError) -> Row? {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return Row(handle)
        case SQLITE_DONE: return nil
        case let code: throw .of(database, code)
        }
    }

    /// Ready for other values; the former ones are let go. The error of the last step, told there, comes again: ignored.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}
