import CSQLite

/// A failed call, by its extended result code (sqlite.org/rescode.html) and the library's words.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    public var code: Int32
    public var message: String

    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(message) (\(code))" }

    private var primary: Int32 { code & 0xff }

    /// The file is damaged, or no database at all.
    public var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
    public var isFull: Bool { primary == SQLITE_FULL }
    /// Another connection held the lock longer than the busy timeout.
    public var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }
    /// The device could not be read or written.
    public var isInputOutput: Bool { primary == SQLITE_IOERR }
    public var isConstraint: Bool { primary == SQLITE_CONSTRAINT }

    static func of(_ database: OpaquePointer?, _ code: Int32) -> SQLiteError {
        let words = database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        return SQLiteError(code: code, message: words)
    }
}
