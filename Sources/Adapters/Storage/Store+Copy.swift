import EventLoop
import Library
import Linux
import SQLite

extension Store {
    /// Writes the precious rows into a file beside the store, in place of the former one: what is left when the store is lost
    /// whole. A few milliseconds; worth doing once a drive and at the end of it.
    public func keepCopy() throws(Failure) {
        let new = files.copy + ".tmp"
        try filing { () throws(Errno) in
            try SmallFile.remove(new)
            try SmallFile.create(new, mode: 0o600)
        }
        try access { (database) throws(SQLiteError) in
            // With a rollback journal, not a log: the file is whole without companions once closed.
            let copy = try Connection(new)
            try copy.migrate(Schema.migrations)
            Carrying(to: copy).takePrecious(from: database)
        }
        try filing { () throws(Errno) in try SmallFile.move(new, to: files.copy) }
    }
}
