import EventLoop
import Library
import Linux
import Playback
import SQLite

/// Everything that has to survive a cut of power, in one SQLite file of the state folder. Every change is on the disk when its
/// call returns (WAL, `synchronous=FULL`).
@Core
public final class Store {
    /// What became of a damaged store, in numbers of rows carried over.
    public struct Rescue: Hashable, Sendable {
        public var setAside: String
        public var episodes: Int
        public var positions: Int
        public var journal: Int
    }

    let files: StoreFiles
    private let log: Log
    var database: Connection
    /// Set when the store was found damaged, at the start or since.
    public private(set) var rescue: Rescue?

    /// Opens the store in `folder`; makes both when missing. A damaged store is put aside and what can be read of it carried
    /// over. Throws only for a folder that can't hold a store.
    public init(folder: String, log: Log) throws(StoreError) {
        files = StoreFiles(folder: folder)
        self.log = log
        try files.prepare()
        do {
            database = try Self.openChecked(files)
        } catch {
            guard error.needsRescue else { throw .database(files.database, error) }
            let (new, rescue) = try Self.rebuild(files)
            database = new
            note(rescue, error)
        }
    }

    /// The one way to the database. Damage met on the way is mended once and the call made again; any other error is logged
    /// with its cause.
    func access<T>(_ body: (Connection) throws(SQLiteError) -> T) throws(Failure) -> T {
        do {
            return try body(database)
        } catch {
            guard error.isDamage else { throw failure(error) }
            return try again(after: error, body)
        }
    }

    private func again<T>(
        after damage: SQLiteError, _ body: (Connection) throws(SQLiteError) -> T
    ) throws(Failure) -> T {
        try mend(damage)
        do {
            return try body(database)
        } catch {
            throw failure(error)
        }
    }

    private func mend(_ damage: SQLiteError) throws(Failure) {
        do {
            let (new, rescue) = try Self.rebuild(files)
            database = new
            note(rescue, damage)
        } catch {
            log.error("store could not be mended", ["cause": error.description])
            throw .internal
        }
    }

    /// All or nothing.
    @discardableResult
    func change<T>(_ body: (Connection) throws(SQLiteError) -> T) throws(Failure) -> T {
        try access { (database) throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in try body(database) }
        }
    }

    /// The one way to the folder's other files.
    func filing(_ body: () throws(Errno) -> Void) throws(Failure) {
        do {
            try body()
        } catch {
            log.error("store's folder failed", ["folder": files.folder, "cause": error])
            throw .internal
        }
    }

    private func failure(_ cause: SQLiteError) -> Failure {
        log.error("store failed", ["cause": cause.message, "code": cause.code])
        return .internal
    }

    private func note(_ rescue: Rescue, _ cause: SQLiteError) {
        self.rescue = rescue
        log.error(
            "store was damaged; what could be read was carried over",
            [
                "cause": cause.message, "aside": rescue.setAside, "episodes": rescue.episodes,
                "positions": rescue.positions, "journal": rescue.journal,
            ])
    }
}
