import Library

/// Chance that can be had again: SplitMix64.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &self) < part }
}

/// The server of the contract with one entry: last writer wins, guarded by versions if it has them.
struct ModelServer {
    let hasVersions: Bool
    /// More than 1: one counter for all entries, so that an entry's versions have gaps.
    let stride: Int
    var entry: Episode
    private(set) var pushes = 0

    init(hasVersions: Bool, stride: Int) {
        self.hasVersions = hasVersions
        self.stride = stride
        entry = remote(at: 0, updated: 0, version: hasVersions ? 1 : nil)
    }

    enum Answer {
        case accepted(PushAnswer)
        case conflict(Episode)
    }

    mutating func put(_ held: Held, _ kind: PushKind, at: WallTime) -> Answer {
        pushes += 1
        if hasVersions, kind == .position, let base = held.base.version, base != entry.version { return .conflict(entry) }
        if let version = entry.version { entry.version = version + stride }
        if kind == .read {
            entry.isRead = true
            return .accepted(PushAnswer(version: entry.version))
        }
        entry.position = held.record.position
        entry.updated = at
        return .accepted(PushAnswer(version: entry.version, updated: at, position: held.record.position))
    }
}

/// One box: what it holds survives its boots, its idea of the time does not.
struct ModelBox {
    var held: Held?
    var clock: ServerClock
    var lastTrusted: WallTime?
    private var boots = 0
    private var bootedAt: Double
    let name: String

    init(_ name: String, at time: Double, lastTrusted: WallTime?) {
        self.name = name
        self.lastTrusted = lastTrusted
        bootedAt = time - 10
        clock = ServerClock(boot: "\(name)0", lastTrusted: lastTrusted)
    }

    func moment(_ time: Double) -> Instant { instant(time - bootedAt) }

    mutating func reboot(at time: Double) {
        boots += 1
        bootedAt = time - 10
        let stamps = [lastTrusted, held?.record.listened.wall].compactMap { $0 }
        clock = ServerClock(boot: "\(name)\(boots)", lastTrusted: stamps.max())
    }

    mutating func hear(_ position: Double, isFinished: Bool, entry: Episode?, at time: Double) {
        let record = PositionRecord(
            episode: id(), position: isFinished ? 0 : position, duration: 3600, listened: clock.stamp(at: moment(time)),
            isFinished: isFinished)
        held = .hearing(record, on: held, entry: entry, isUrgent: true)
    }

    mutating func hearServer(_ time: Double) {
        clock.heard(wall(time.rounded(.down)), at: moment(time))
        lastTrusted = clock.time(at: moment(time))
        held = held?.stamped(by: clock)
    }

    mutating func learn(_ entry: Episode, _ source: EntrySource, isPlaying: Bool, at time: Double) {
        let times = clock.times(for: held?.record.listened, at: moment(time))
        let resolution =
            if isPlaying, let held { Merge.settlePlaying(held, with: entry, from: source) } else {
                Merge.settle(held, with: entry, from: source, times: times)
            }
        if let resolution { held = resolution.held }
    }
}
