import Library
import SQLite

// Columns and values of the domain, each pair in the same order.

extension Held {
    static let columns = """
        e.server, e.feed, e.guid, h.enclosure, h.position, h.duration, h.is_read, h.is_finished, h.boot, h.at, h.wall,
        h.is_uncertain, h.base_version, h.base_updated, h.base_position, h.unsent, h.sequence, h.is_urgent
        """

    init(_ row: borrowing Row) {
        let base = SyncBase(
            version: row.int(12), updated: row.integer(13).map { WallTime(milliseconds: $0) }, position: row.real(14))
        let record = PositionRecord(
            episode: EpisodeID(row), enclosure: row.int(3) ?? 0, position: row.real(4) ?? 0, duration: row.real(5),
            isRead: row.bool(6), listened: Stamp(row, from: 8), baseVersion: base.version, isFinished: row.bool(7))
        self.init(
            record: record, base: base, unsent: Unsent(rawValue: row.int(15) ?? 0), sequence: row.int(16) ?? 0,
            isUrgent: row.bool(17))
    }
}

extension EpisodeID {
    /// The first three columns.
    init(_ row: borrowing Row) {
        self.init(server: row.text(0) ?? "", feed: row.text(1) ?? "", guid: row.text(2) ?? "")
    }
}

extension Stamp {
    /// Boot, moment, wall, uncertain.
    init(_ row: borrowing Row, from first: Int) {
        self.init(
            boot: row.text(first) ?? "", at: Instant(nanoseconds: row.integer(first + 1) ?? 0),
            wall: row.integer(first + 2).map { WallTime(milliseconds: $0) }, isUncertain: row.bool(first + 3))
    }
}

extension Episode {
    static let columns = """
        e.server, e.feed, e.guid, n.title, n.feed_title, n.published, n.duration, n.position, n.is_read, n.updated,
        n.version, n.artwork, n.id
        """

    /// Without its chapters and enclosures, which are rows of their own.
    init(_ row: borrowing Row) {
        self.init(
            id: EpisodeID(row), title: row.text(3) ?? "", feedTitle: row.text(4) ?? "",
            published: row.integer(5).map { WallTime(milliseconds: $0) }, duration: row.real(6), position: row.real(7),
            isRead: row.bool(8),
            updated: row.integer(9).map { WallTime(milliseconds: $0) }, version: row.int(10), artwork: row.text(11))
    }
}
