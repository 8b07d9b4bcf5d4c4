import CSQLite

/// One row of an answer. Valid only while it is lent, which is why it can't be copied; columns count from 0.
public struct Row: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    /// Nil for a null; other types are converted by SQLite's rules.
    public borrowing func integer(_ column: Int) -> Int64? {
        isNull(column) ? nil : sqlite3_column_int64(statement, Int32(column))
    }

    public borrowing func int(_ column: Int) -> Int? { integer(column).map(Int.init(truncatingIfNeeded:)) }

    public borrowing func real(_ column: Int) -> Double? {
        isNull(column) ? nil : sqlite3_column_double(statement, Int32(column))
    }

    /// False for null too.
    public borrowing func bool(_ column: Int) -> Bool { sqlite3_column_int64(statement, Int32(column)) != 0 }

    /// Bytes that are no UTF-8 are replaced.
    public borrowing func text(_ column: Int) -> String? {
        guard let start = sqlite3_column_text(statement, Int32(column)) else { return nil }
        // The count is asked for after the text: a conversion may change it.
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    public borrowing func blob(_ column: Int) -> [UInt8]? {
        guard !isNull(column) else { return nil }
        guard let start = sqlite3_column_blob(statement, Int32(column)) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(column)))))
    }

    public borrowing func value(_ column: Int) -> SQLiteValue {
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, Int32(column)))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, Int32(column)))
        case SQLITE_TEXT: .text(text(column) ?? "")
        case SQLITE_BLOB: .blob(blob(column) ?? [])
        default: .null
        }
    }

    public borrowing func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }

    public var count: Int { Int(sqlite3_column_count(statement)) }
}
