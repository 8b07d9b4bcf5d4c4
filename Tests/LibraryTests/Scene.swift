import Library

func id(_ name: String = "a", feed: String = "f1") -> EpisodeID { EpisodeID(server: "s1", feed: feed, guid: name) }

func wall(_ seconds: Double) -> WallTime { WallTime(milliseconds: Int64(seconds * 1000)) }

func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

/// What is held of one episode: heard at `position`, at `heard` seconds of server time (nil: unknown), on top of version 7.
func held(
    at position: Seconds, heard: Double?, isUncertain: Bool = false, isFinished: Bool = false, isRead: Bool = false,
    base: SyncBase = SyncBase(version: 7, updated: wall(1000), position: 100), unsent: Unsent = .position,
    duration: Seconds? = 3600
) -> Held {
    let stamp = Stamp(boot: "boot-1", at: instant(50), wall: heard.map(wall), isUncertain: isUncertain)
    let record = PositionRecord(
        episode: id(), position: position, duration: duration, isRead: isRead || isFinished, listened: stamp,
        baseVersion: base.version, isFinished: isFinished)
    return Held(record: record, base: base, unsent: unsent)
}

func remote(
    at position: Seconds?, updated: Double?, version: Int? = 8, isRead: Bool = false, duration: Seconds? = 3600
) -> Episode {
    Episode(
        id: id(), title: "T", feedTitle: "F", duration: duration, position: position, isRead: isRead,
        updated: updated.map(wall), version: version)
}
