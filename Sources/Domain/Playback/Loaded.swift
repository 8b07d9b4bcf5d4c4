import Library

/// The current episode, in the engine.
struct Loaded: Hashable, Sendable {
    let generation: Generation
    let enclosure: Enclosure
    /// The first sample to be heard.
    let start: Seconds
    /// The file's own duration, once it told one.
    var duration: Seconds?
    /// The server's, while the file tells none; not believed any more once the playhead has passed it.
    var listed: Seconds?
    var playhead: Playhead
    /// The place before the rewind: stays the stored one until the playhead has passed it.
    var unrewound: Seconds
    /// Last time it was heard, or its place chosen, while the playhead stands.
    var heard: Instant
    /// The start offset was reached; before that nothing may be stored.
    var hasReached = false
    var seek: Seeking?
    /// Where the listening began that no seek has interrupted.
    var stretch: Seconds
    var isMarkedRead = false
    /// The decoder waits for bytes.
    var isStalled = false
    /// It waits, and there is no network to bring them.
    var isOutOfBytes = false

    init(
        _ generation: Generation, _ enclosure: Enclosure, start: Seconds, goingOnAt place: Place, listed: Seconds?,
        now: Instant
    ) {
        self.generation = generation
        self.enclosure = enclosure
        self.start = start
        duration = place.duration
        self.listed = listed
        playhead = Playhead(standingAt: start, since: now)
        unrewound = place.position
        heard = place.heard
        stretch = start
    }

    /// The place being heard, or about to be: a seek's target counts from the moment it is wished.
    func place(at now: Instant) -> Seconds {
        min(seek?.target ?? playhead.position(at: now), duration ?? .infinity)
    }

    /// The place to remember.
    func storable(at now: Instant) -> Seconds {
        max(place(at: now), min(unrewound, Durations.lastPlace(in: duration)))
    }

    var believedDuration: Seconds? { duration ?? listed }

    /// Where the server's duration is found to be wrong.
    var listedLimit: Seconds? { duration == nil && seek == nil ? listed.map { $0 + 1 } : nil }

    /// An engine that waits for a file's first bytes has nothing to report: after this it counts as stalled.
    var openingLimit: Instant { playhead.arrived.advanced(by: 5) }

    mutating func run(at rate: Double, from now: Instant) {
        playhead.run(at: rate, from: now)
    }

    mutating func stand(at now: Instant) {
        if playhead.isRunning { heard = now }
        playhead.stand(at: now)
    }
}
