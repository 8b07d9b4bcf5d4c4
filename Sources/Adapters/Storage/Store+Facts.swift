import EventLoop
import Library
import SQLite

extension Store {
    /// Milliseconds between two writes of the trusted time.
    static let trustedEvery: Int64 = 300_000

    /// A lower bound for the time now on a box that has not heard the server since it was switched on: the last time that was
    /// certain, or the last thing heard here if that is later.
    public func lastTrusted() throws(Failure) -> WallTime? {
        let certain = try fact("trusted").flatMap { Int64($0) }
        let heard = try access { (database) throws(SQLiteError) in
            try database.first("SELECT wall FROM journal WHERE boot <> '' ORDER BY id DESC LIMIT 1") { $0.integer(0) }
        }
        return [certain, heard ?? nil].compactMap { $0 }.max().map { WallTime(milliseconds: $0) }
    }

    /// The server's time now; written every five minutes at most.
    public func trust(_ now: WallTime) throws(Failure) {
        let known = try fact("trusted").flatMap { Int64($0) }
        if let known, (0..<Self.trustedEvery).contains(now.milliseconds - known) { return }
        try setFact("trusted", String(now.milliseconds))
    }

    /// 0…100, as last heard with this car; nil for a new one.
    public func volume(ofCar address: String) throws(Failure) -> Int? { try fact("volume \(address)").flatMap { Int($0) } }

    public func setVolume(_ volume: Int, ofCar address: String) throws(Failure) {
        try setFact("volume \(address)", String(min(max(volume, 0), 100)))
    }

    /// Who the server said it is (`me.server`, else `me.id`): the first part of every identity.
    public func serverIdentity() throws(Failure) -> String? { try fact("server") }

    public func setServerIdentity(_ identity: String) throws(Failure) { try setFact("server", identity) }

    /// A short text by name, for whatever else must be known at the next start.
    public func fact(_ name: String) throws(Failure) -> String? {
        let found = try access { (database) throws(SQLiteError) in
            try database.first("SELECT value FROM fact WHERE name = ?", name) { $0.text(0) }
        }
        return found ?? nil
    }

    /// Nil forgets it. An unchanged value costs no write.
    public func setFact(_ name: String, _ value: String?) throws(Failure) {
        guard try fact(name) != value else { return }
        try change { (database) throws(SQLiteError) in
            guard let value else { return _ = try database.run("DELETE FROM fact WHERE name = ?", name) }
            try database.run(
                "INSERT INTO fact (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2", name, value)
        }
    }
}
