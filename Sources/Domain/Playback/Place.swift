import Library

/// Where an episode goes on that is not in the engine.
struct Place: Hashable, Sendable {
    /// Not rewound.
    var position: Seconds
    /// The file's own duration, if it was open before.
    var duration: Seconds?
    /// When it was last heard, or put there by the driver; decides how far to rewind.
    var heard: Instant
    /// It was heard to its true end: the next Play starts anew.
    var isFinished = false

    init(position: Seconds, duration: Seconds? = nil, heard: Instant) {
        self.position = position
        self.duration = duration
        self.heard = heard
    }

    /// An unknown time away counts as a minute (product.md).
    init(_ queued: Queued, at now: Instant) {
        let away = queued.away.map { $0.isFinite ? min(max($0, 0), 1e9) : 60 } ?? 60
        self.init(position: queued.position.asPlace, heard: now.advanced(by: -away))
    }

    /// The place a load is left at.
    init(of loaded: Loaded, at now: Instant) {
        let heard = loaded.playhead.isRunning ? now : loaded.heard
        self.init(position: loaded.storable(at: now), duration: loaded.duration, heard: heard)
    }
}

extension Seconds {
    /// The longest file anyone will play, seconds; keeps sums on the clock within its range.
    static let longest: Seconds = 1e7

    /// A position that can be trusted to be one: not negative, not without bounds.
    var asPlace: Seconds { isFinite ? min(max(0, self), Self.longest) : 0 }
}
