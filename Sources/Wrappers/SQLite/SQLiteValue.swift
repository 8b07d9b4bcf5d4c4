/// What a column or a parameter holds (sqlite.org/datatype3.html).
public enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// A Swift value that can be a parameter.
public protocol SQLiteConvertible {
    var sqliteValue: SQLiteValue { get }
}

extension SQLiteValue: SQLiteConvertible {
    public var sqliteValue: SQLiteValue { self }
}

extension Int: SQLiteConvertible {
    public var sqliteValue: SQLiteValue { .integer(Int64(self)) }
}

extension Int64: SQLiteConvertible {
    public var sqliteValue: SQLiteValue { .integer(self) }
}

extension Bool: SQLiteConvertible {
    public var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }
}

extension Double: SQLiteConvertible {
    /// SQLite has no NaN: it would become null by itself (sqlite.org/floatingpoint.html).
    public var sqliteValue: SQLiteValue { isNaN ? .null : .real(self) }
}

extension String: SQLiteConvertible {
    public var sqliteValue: SQLiteValue { .text(self) }
}

extension [UInt8]: SQLiteConvertible {
    public var sqliteValue: SQLiteValue { .blob(self) }
}

extension Optional: SQLiteConvertible where Wrapped: SQLiteConvertible {
    public var sqliteValue: SQLiteValue { self?.sqliteValue ?? .null }
}
