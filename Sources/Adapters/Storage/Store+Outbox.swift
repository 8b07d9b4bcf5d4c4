import EventLoop
import Library
import SQLite

extension Store: Outbox {
    public func unsent(limit: Int) throws(Failure) -> [Held] {
        try access { (database) throws(SQLiteError) in
            try database.query(
                """
                SELECT \(Held.columns) FROM held h JOIN episode e ON e.id = h.id WHERE h.unsent <> 0
                ORDER BY h.since LIMIT ?
                """, limit
            ) { Held($0) }
        }.filter { $0.nextPush != nil }
    }

    public func held(_ episode: EpisodeID) throws(Failure) -> Held? {
        try access { (database) throws(SQLiteError) in try database.held(episode) }
    }

    public func markRead(_ episode: EpisodeID, at stamp: Stamp) throws(Failure) {
        try update(episode) { (database, former) throws(SQLiteError) in
            .marking(episode, read: stamp, on: former, entry: try database.entry(episode))
        }
    }

    public func acknowledge(
        _ kind: PushKind, _ episode: EpisodeID, sequence: Int, _ answer: PushAnswer
    ) throws(Failure) {
        try update(episode) { $1?.acknowledging(kind, sequence: sequence, answer) }
    }

    public func refuse(_ kind: PushKind, _ episode: EpisodeID, sequence: Int) throws(Failure) {
        try update(episode) { $1?.refused(kind, sequence: sequence) }
    }

    @discardableResult
    public func settle(
        _ remote: Episode, from source: EntrySource, isPlaying: Bool, times: SyncTimes
    ) throws(Failure) -> Resolution? {
        let former = try held(remote.id)
        let settled =
            if isPlaying, let former {
                Merge.settlePlaying(former, with: remote, from: source)
            } else {
                Merge.settle(former, with: remote, from: source, times: times)
            }
        guard let settled, former != nil, settled.held != former || settled.loser != nil else { return settled }
        try change { (database) throws(SQLiteError) in try database.keep(settled) }
        return settled
    }

    public func settleStamps(by clock: ServerClock) throws(Failure) {
        let waiting = try access { (database) throws(SQLiteError) in
            try database.query(
                """
                SELECT \(Held.columns) FROM held h JOIN episode e ON e.id = h.id
                WHERE h.boot = ? AND (h.wall IS NULL OR h.is_uncertain = 1)
                """, clock.boot
            ) { Held($0) }
        }
        let settled = waiting.map { $0.stamped(by: clock) }
        guard settled != waiting else { return }
        try change { (database) throws(SQLiteError) in
            for held in settled { try database.hold(held, database.numbered(held.record.episode)) }
        }
    }

    /// Writes only what has changed.
    private func update(
        _ episode: EpisodeID, _ change: (Connection, Held?) throws(SQLiteError) -> Held?
    ) throws(Failure) {
        try self.change { (database) throws(SQLiteError) in
            let former = try database.held(episode)
            guard let new = try change(database, former), new != former else { return }
            try database.hold(new, database.numbered(episode))
        }
    }
}

extension Connection {
    fileprivate func keep(_ resolution: Resolution) throws(SQLiteError) {
        let record = resolution.held.record
        let number = try numbered(record.episode)
        if let loser = resolution.loser {
            let cause = resolution.outcome == .adopt ? PositionChange.Cause.server : .stood
            try note(record, number, reason: cause.rawValue, other: loser)
        }
        try hold(resolution.held, number)
    }
}
