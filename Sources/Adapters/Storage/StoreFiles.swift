import Linux

/// The store's files in the state folder.
struct StoreFiles: Hashable, Sendable {
    let folder: String

    var database: String { folder + "/ipx-car.db" }
    /// A store being made in place of a damaged one; complete exactly when the database's name is free.
    var fresh: String { database + ".new" }
    /// The precious rows as they were a while ago.
    var copy: String { database + ".copy" }
    private static let companions = ["-wal", "-shm", "-journal"]

    /// Makes the folder and an empty file that only the service may read; SQLite gives its companions the same mode.
    func prepare() throws(StoreError) {
        try StoreError.from(folder) { () throws(Errno) in try Folder.make(folder, mode: 0o750) }
        let isFAT = try StoreError.from(folder) { () throws(Errno) in try Filesystem.isFAT(folder) }
        guard !isFAT else { throw .isFAT(folder: folder) }
        try StoreError.from(database) { () throws(Errno) in
            if !SmallFile.exists(database), SmallFile.exists(fresh) { try promote() }
            try SmallFile.create(database, mode: 0o600)
        }
    }

    /// Puts the damaged database aside, with its log, and the fresh one in its place. Cut off at any step, `prepare` goes on.
    /// Returns the path it has now.
    func replace() throws(Errno) -> String {
        let aside = nextAside()
        try SmallFile.move(database, to: aside)
        try promote()
        return aside
    }

    private func promote() throws(Errno) {
        for end in Self.companions where SmallFile.exists(database + end) {
            try SmallFile.move(database + end, to: lastAside() + end)
        }
        try SmallFile.move(fresh, to: database)
    }

    func removeFresh() throws(Errno) {
        for end in [""] + Self.companions { try SmallFile.remove(fresh + end) }
    }

    private func aside(_ number: Int) -> String { "\(database).damaged-\(number)" }
    private var asideCount: Int {
        var count = 0
        while SmallFile.exists(aside(count + 1)) { count += 1 }
        return count
    }

    private func nextAside() -> String { aside(asideCount + 1) }
    private func lastAside() -> String { aside(max(1, asideCount)) }
}
