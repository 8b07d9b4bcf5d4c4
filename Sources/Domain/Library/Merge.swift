/// The rules of sync.md, "With the server". Pure: what is held, what the server says, and the times decide alone.
public enum Merge {
    /// Two stamps closer than this are the same moment, milliseconds.
    static let tie: Int64 = 1000
    /// Two positions closer than this are the same place: a server may keep whole seconds.
    static let samePlace: Seconds = 1

    /// Settles an episode that is not being played. Nil: nothing is held and the server never said a position.
    public static func settle(
        _ held: Held?, with remote: Episode, from source: EntrySource = .listing, times: SyncTimes
    ) -> Resolution? {
        let remote = remote.sanitized
        guard let held else { return remote.position.map { adopted(nil, remote, $0) } }
        if isOlder(remote, than: held.base, source) { return Resolution(.ignored, held) }
        guard let place = remote.position, !held.record.episode.isLocal else { return withoutPlace(held, remote) }
        guard held.unsent.contains(.position) else { return acknowledged(held, remote, place, times) }
        if !hasMoved(remote, since: held.base) { return ours(held, remote, loser: nil) }
        if isSame(held.record, remote, place) { return agreed(held, remote) }
        return isOurs(held.record, remote, place, times)
            ? ours(held, remote, loser: place) : adopted(held, remote, place)
    }

    /// Settles the episode that plays here: a list changes nothing before it is next loaded (POS-20); where a push waits for it,
    /// the position being heard stands, whatever the server says.
    public static func settlePlaying(_ held: Held, with remote: Episode, from source: EntrySource) -> Resolution {
        guard source != .listing else { return Resolution(.ignored, held) }
        let remote = remote.sanitized
        let loser = remote.position.flatMap { isSame(held.record, remote, $0) ? nil : $0 }
        var resolution = ours(held, remote, loser: loser)
        // Even if nothing was unsent, the server has another position now.
        if loser != nil { resolution.held.unsent.insert(.position) }
        return resolution
    }

    /// Lists and pushes cross on the way: an answer with a version below the base was given before it. Without versions it can't
    /// be told from a record that came late with its true, earlier time; the rule of the later decides then.
    private static func isOlder(_ remote: Episode, than base: SyncBase, _ source: EntrySource) -> Bool {
        guard source == .listing, let version = remote.version, let known = base.version else { return false }
        return version < known
    }

    private static func hasMoved(_ remote: Episode, since base: SyncBase) -> Bool {
        if let version = remote.version, let known = base.version { return version != known }
        if let updated = remote.updated, let known = base.updated { return updated != known }
        if let place = remote.position, let known = base.position { return abs(place - known) >= samePlace }
        return true
    }

    /// The server never said where: ours is all there is.
    private static func withoutPlace(_ held: Held, _ remote: Episode) -> Resolution {
        held.unsent.isEmpty ? agreed(held, remote) : ours(held, remote, loser: nil)
    }

    /// All that was heard here is with the server, so its later change counts; unless that was heard earlier: then a device put
    /// an old position over ours, which goes back.
    private static func acknowledged(_ held: Held, _ remote: Episode, _ place: Seconds, _ times: SyncTimes) -> Resolution {
        if !hasMoved(remote, since: held.base) || isSame(held.record, remote, place) { return agreed(held, remote) }
        guard let (heard, updated) = comparable(held.record.listened, remote.updated, times),
            heard.milliseconds - updated.milliseconds >= tie
        else { return adopted(held, remote, place) }
        var held = held
        held.unsent.insert(.position)
        return ours(held, remote, loser: place)
    }

    private static func isSame(_ record: PositionRecord, _ remote: Episode, _ place: Seconds) -> Bool {
        abs(record.position - place) < samePlace && (!record.isFinished || remote.isRead)
    }

    /// The later of the two wins; where time can't tell, the larger position.
    private static func isOurs(
        _ record: PositionRecord, _ remote: Episode, _ place: Seconds, _ times: SyncTimes
    ) -> Bool {
        guard let (heard, updated) = comparable(record.listened, remote.updated, times),
            abs(heard.milliseconds - updated.milliseconds) >= tie
        else { return extent(of: record, remote) > extent(of: remote, place, record) }
        return heard > updated
    }

    /// Both moments, when both are believed and may be compared.
    private static func comparable(
        _ stamp: Stamp, _ updated: WallTime?, _ times: SyncTimes
    ) -> (WallTime, WallTime)? {
        guard let heard = stamp.wall, let updated, times.isBelievable(heard), times.isBelievable(updated) else { return nil }
        // An uncertain stamp is a lower bound, reckoned from the last trusted time: what is later than that may be either.
        if stamp.isUncertain, updated > times.lastTrusted ?? WallTime(milliseconds: .min) { return nil }
        return (heard, updated)
    }

    /// How far was heard: a true end is 0 and means all of it.
    private static func extent(of record: PositionRecord, _ remote: Episode) -> Seconds {
        record.isFinished ? record.duration ?? remote.duration ?? .infinity : record.position
    }

    private static func extent(of remote: Episode, _ place: Seconds, _ record: PositionRecord) -> Seconds {
        place == 0 && remote.isRead ? record.duration ?? remote.duration ?? .infinity : place
    }

    private static func agreed(_ held: Held, _ remote: Episode) -> Resolution {
        var held = held
        held.unsent.remove(.position)
        let based = based(held, remote)
        return Resolution(based.unsent.isEmpty ? .agreed : .push, based)
    }

    private static func ours(_ held: Held, _ remote: Episode, loser: Seconds?) -> Resolution {
        var held = based(held, remote)
        if held.record.isFinished, !remote.isRead { held.unsent.insert(.read) }
        return Resolution(held.unsent.isEmpty ? .agreed : .push, held, loser: loser)
    }

    private static func adopted(_ held: Held?, _ remote: Episode, _ place: Seconds) -> Resolution {
        let listened = Stamp(boot: "", at: Instant(nanoseconds: 0), wall: remote.updated, isUncertain: remote.updated == nil)
        var record = PositionRecord(episode: remote.id, position: place, listened: listened)
        record.enclosure = held?.record.enclosure ?? remote.enclosures.first?.number ?? 0
        record.duration = remote.duration ?? held?.record.duration
        record.isFinished = place == 0 && remote.isRead
        record.isRead = held?.record.isRead ?? remote.isRead
        var unsent = held?.unsent ?? []
        unsent.remove(.position)
        let new = Held(record: record, unsent: unsent, sequence: (held?.sequence ?? 0) + 1)
        return Resolution(.adopt, based(new, remote), loser: held?.record.position)
    }

    /// On top of the server's version. A read flag that waits here was reached here and stays (POS-07); else the server's counts.
    private static func based(_ held: Held, _ remote: Episode) -> Held {
        var held = held
        held.base = SyncBase(remote)
        held.record.baseVersion = remote.version
        if remote.isRead, held.record.isRead { held.unsent.remove(.read) }
        if !held.unsent.contains(.read) { held.record.isRead = remote.isRead }
        return held
    }
}
