import Foundation
import SQLite
import Testing

/// A database file of its own for one test.
final class ScratchDatabase {
    let path = "/tmp/ipx-car-test-\(UUID().uuidString).db"

    func open(_ access: Connection.Access = .create) throws -> Connection { try Connection(path, access, busyTimeout: 50) }

    deinit { for end in ["", "-wal", "-shm", "-journal"] { unlink(path + end) } }
}

@Suite("A database", .timeLimit(.minutes(1)))
struct ConnectionTests {
    let file = ScratchDatabase()
    let database: Connection

    init() throws {
        database = try file.open()
        try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
    }

    @Test(
        "every value comes back as it was bound",
        arguments: [
            .null, .integer(.min), .integer(0), .integer(.max), .real(-0.5), .real(1e300), .text(""), .text("a\u{0}b"),
            .text("Grüße 🎧"), .blob([]), .blob([0, 255, 0]),
        ] as [SQLiteValue])
    func values(value: SQLiteValue) throws {
        try database.run("INSERT INTO t (v) VALUES (?)", value)
        #expect(try database.first("SELECT v FROM t") { $0.value(0) } == value)
    }

    @Test("Swift's own types bind; nil and NaN are null")
    func types() throws {
        try database.run("INSERT INTO t VALUES (?, ?)", 1, true)
        try database.run("INSERT INTO t VALUES (?, ?)", 2, Double.nan)
        try database.run("INSERT INTO t VALUES (?, ?)", 3, String?.none)
        #expect(try database.query("SELECT v FROM t ORDER BY id") { $0.integer(0) } == [1, nil, nil])
    }

    @Test("the wrong number of values is refused, never bound as null")
    func count() {
        #expect(throws: SQLiteError.self) { try database.run("INSERT INTO t VALUES (?, ?)", 1) }
        #expect(throws: SQLiteError.self) { try database.run("INSERT INTO t VALUES (?, ?)", 1, 2, 3) }
        #expect(throws: SQLiteError.self) { try database.run("  ") }
    }

    @Test("a statement in use can be run again inside its own rows")
    func nested() throws {
        for number in 1...3 { try database.run("INSERT INTO t VALUES (?, ?)", number, number * 10) }
        let select = "SELECT v FROM t WHERE id >= ? ORDER BY id"
        let sums = try database.query(select, 1) { (row) throws(SQLiteError) in
            try database.query(select, 2) { $0.int(0) ?? 0 }.reduce(row.int(0) ?? 0, +)
        }
        #expect(sums == [60, 70, 80])
    }

    @Test("an error in a transaction leaves nothing of it, and the next one works")
    func rollback() throws {
        #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                try database.run("INSERT INTO t VALUES (1, 'lost')")
                try database.run("INSERT INTO t VALUES (1, 'again')")
            }
        }
        #expect(try database.query("SELECT 1 FROM t") { $0.int(0) }.isEmpty)
        _ = try database.transaction { () throws(SQLiteError) in try database.run("INSERT INTO t VALUES (1, 'kept')") }
        #expect(try file.open(.readOnly).first("SELECT v FROM t") { $0.text(0) } == "kept")
    }

    @Test("another writer's lock is told as busy, a duplicate as constraint")
    func codes() throws {
        let other = try file.open()
        try database.transaction { () throws(SQLiteError) in
            do throws(SQLiteError) {
                try other.run("INSERT INTO t VALUES (1, 1)")
                Issue.record("two writers at once")
            } catch {
                #expect(error.isBusy)
            }
        }
        do {
            try database.run("INSERT INTO t VALUES (1, 1)")
            try database.run("INSERT INTO t VALUES (1, 1)")
            Issue.record("two rows with one number")
        } catch {
            #expect(error.isConstraint)
            #expect(error.description.contains("UNIQUE"))
        }
    }

    @Test("a read-only connection writes nothing; a missing file is not made by it")
    func access() throws {
        #expect(throws: SQLiteError.self) { try file.open(.readOnly).run("INSERT INTO t VALUES (1, 1)") }
        #expect(throws: SQLiteError.self) { try ScratchDatabase().open(.readOnly) }
        #expect(throws: SQLiteError.self) { try ScratchDatabase().open(.readWrite) }
    }

    @Test("a full disk is told as full")
    func full() throws {
        try database.execute("PRAGMA max_page_count = 4")
        do {
            for _ in 1...1000 { try database.run("INSERT INTO t (v) VALUES (?)", [UInt8](repeating: 1, count: 1000)) }
            Issue.record("four pages held a thousand rows")
        } catch {
            #expect(error.isFull)
        }
    }
}

@Suite("Schema and damage", .timeLimit(.minutes(1)))
struct SchemaTests {
    let file = ScratchDatabase()
    static let scripts = [
        "CREATE TABLE a (x)", "CREATE TABLE b (y); INSERT INTO b VALUES (7)", "ALTER TABLE a ADD COLUMN z",
    ]

    @Test("only the migrations not yet seen run, and each once")
    func migrations() throws {
        let database = try file.open()
        try database.migrate(Array(Self.scripts.prefix(1)))
        #expect(try database.schemaVersion() == 1)
        try database.migrate(Self.scripts)
        try database.migrate(Self.scripts)
        #expect(try database.schemaVersion() == 3)
        #expect(try database.query("SELECT y FROM b") { $0.int(0) } == [7])
    }

    @Test("a migration that fails leaves the version before it")
    func failedMigration() throws {
        let database = try file.open()
        #expect(throws: SQLiteError.self) {
            try database.migrate([Self.scripts[0], "CREATE TABLE c (x); INSERT INTO nowhere VALUES (1)"])
        }
        #expect(try database.schemaVersion() == 1)
        #expect(throws: SQLiteError.self) { try database.run("SELECT * FROM c") }
    }

    @Test("a schema of a later program is left as it is")
    func later() throws {
        let database = try file.open()
        try database.execute("PRAGMA user_version = 9")
        try database.migrate(Self.scripts)
        #expect(try database.schemaVersion() == 9)
    }

    @Test("a zeroed page is found by the check and told as damage; the rows before and after it are salvaged")
    func salvage() throws {
        do {
            let database = try file.open()
            try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)")
            try database.transaction { () throws(SQLiteError) in
                for number in 1...2000 {
                    try database.run("INSERT INTO t VALUES (?, ?)", number, String(repeating: "x", count: 100))
                }
            }
            #expect(try database.faults().isEmpty)
            #expect(try database.faults(inTable: "t").isEmpty)
        }
        try zero(page: 30)
        let database = try file.open(.readOnly)
        #expect(try !database.faults().isEmpty)
        #expect(try !database.faults(inTable: "t").isEmpty)
        do {
            _ = try database.query("SELECT id FROM t ORDER BY id") { $0.int(0) }
            Issue.record("a zeroed page was read")
        } catch {
            #expect(error.isDamage)
        }
        var numbers: [Int64] = []
        database.salvage("t", columns: ["id", "v"]) { if case .integer(let number) = $0[0] { numbers.append(number) } }
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.count > 1900 && numbers.count < 2000)
        #expect(numbers.contains(1) && numbers.contains(2000))
    }

    @Test("a file that is no database is told as damage")
    func noDatabase() throws {
        try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: file.path))
        let database = try file.open()
        do {
            _ = try database.schemaVersion()
            Issue.record("8192 letters were read as a database")
        } catch {
            #expect(error.isDamage)
        }
    }

    private func zero(page: Int) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file.path))
        try handle.seek(toOffset: UInt64((page - 1) * 4096))
        try handle.write(contentsOf: Data(count: 4096))
        try handle.close()
    }
}
