import Linux
import SQLite

/// Why there is no store: a plain sentence for the person who set it up.
public enum StoreError: Error, Sendable, CustomStringConvertible {
    case isFAT(folder: String)
    case folder(String, Errno)
    case database(String, SQLiteError)

    public var description: String {
        switch self {
        case .isFAT(let folder):
            "\(folder) lies on a FAT file system, which loses files when the power is cut; choose another"
        case .folder(let path, let cause): "\(path): \(cause)"
        case .database(let path, let cause): "\(path): \(cause)"
        }
    }

    static func from<T>(_ path: String, _ call: () throws(Errno) -> T) throws(StoreError) -> T {
        do {
            return try call()
        } catch {
            throw .folder(path, error)
        }
    }

    static func from<T>(_ path: String, _ call: () throws(SQLiteError) -> T) throws(StoreError) -> T {
        do {
            return try call()
        } catch {
            throw .database(path, error)
        }
    }
}
