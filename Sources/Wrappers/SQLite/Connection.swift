import CSQLite

/// One open database. Not for two threads at once: it belongs to the isolation it was made in.
public final class Connection {
    public enum Access: Sendable {
        case readOnly
        case readWrite
        /// Made when missing.
        case create
    }

    private let handle: OpaquePointer
    /// Prepared statements by their text; one in use is taken out.
    private var idle: [String: Statement] = [:]

    /// `busyTimeout` in milliseconds: how long a call waits for another connection's lock.
    public init(_ path: String, _ access: Access = .create, busyTimeout: Int32 = 2000) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, access.flags, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }  // Even a failed open leaves something to close.
            throw .of(handle, code)
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, busyTimeout)
        csqlite_set_defensive(handle)
    }

    deinit {
        idle = [:]
        sqlite3_close_v2(handle)
    }

    /// Runs statements without parameters or answers, separated by `;`.
    public func execute(_ script: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw .of(handle, code) }
    }

    /// Runs one statement to its end; returns the rows it changed.
    @discardableResult
    public func run(_ sql: String, _ values: any SQLiteConvertible...) throws(SQLiteError) -> Int {
        try run(sql, values: values)
    }

    @discardableResult
    public func run(_ sql: String, values: [any SQLiteConvertible]) throws(SQLiteError) -> Int {
        try withStatement(sql, values) { (statement) throws(SQLiteError) in
            while try statement.step() != nil {}
        }
        return Int(sqlite3_changes(handle))
    }

    /// One value for each row.
    public func query<T>(
        _ sql: String, _ values: any SQLiteConvertible..., read: (borrowing Row) throws(SQLiteError) -> T
    ) throws(SQLiteError) -> [T] {
        var rows: [T] = []
        try withStatement(sql, values) { (statement) throws(SQLiteError) in
            while let row = try statement.step() { rows.append(try read(row)) }
        }
        return rows
    }

    /// The first row only.
    public func first<T>(
        _ sql: String, _ values: any SQLiteConvertible..., read: (borrowing Row) throws(SQLiteError) -> T
    ) throws(SQLiteError) -> T? {
        var found: T?
        try withStatement(sql, values) { (statement) throws(SQLiteError) in
            if let row = try statement.step() { found = try read(row) }
        }
        return found
    }

    /// Each row until `visit` says false: for answers that may break off in the middle of a damaged file.
    public func forEach(
        _ sql: String, _ values: any SQLiteConvertible..., visit: (borrowing Row) throws(SQLiteError) -> Bool
    ) throws(SQLiteError) {
        try withStatement(sql, values) { (statement) throws(SQLiteError) in
            while let row = try statement.step() {
                guard try visit(row) else { return }
            }
        }
    }

    private func withStatement(
        _ sql: String, _ values: [any SQLiteConvertible], _ body: (Statement) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        let statement = try checkOut(sql)
        defer {
            statement.reset()
            idle[sql] = statement
        }
        try statement.bind(values)
        try body(statement)
    }

    private func checkOut(_ sql: String) throws(SQLiteError) -> Statement {
        if let statement = idle.removeValue(forKey: sql) { return statement }
        return try Statement(handle, sql)
    }

    /// All of `body` or nothing of it. The write lock is taken at the start, so nothing read inside can be out of date.
    public func transaction<T>(_ body: () throws(SQLiteError) -> T) throws(SQLiteError) -> T {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // Some errors have rolled back already (sqlite.org/lang_transaction.html); a second time is refused, no harm.
            if sqlite3_get_autocommit(handle) == 0 { _ = try? run("ROLLBACK") }
            throw error
        }
    }

    /// The rowid of the last INSERT.
    public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }
}

extension Connection.Access {
    var flags: Int32 {
        let access =
            switch self {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        return access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    }
}
