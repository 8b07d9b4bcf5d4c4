import Library

extension PlayerState {
    /// What the engine reports; of a load that is not the present one, nothing is believed.
    mutating func hear(_ event: EngineEvent, of generation: Generation) {
        guard let loaded = phase.loaded, loaded.generation == generation else { return }
        switch event {
        case .opened(let duration): opened(loaded, duration: Durations.ofFile(duration))
        case .reached(let place): reached(loaded, place.asPlace)
        case .position(let place, let at): learned(loaded, place: place, at: min(at, now))
        case .stalled(let place): stalled(loaded, at: place.asPlace)
        case .flowing(let place): flowing(loaded, from: place.asPlace)
        case .ended: ended(loaded)
        case .failed(let failure): failed(loaded, failure)
        }
    }

    /// A file that has become shorter than the place: start before its end, not behind it (POS-17).
    private mutating func opened(_ opened: Loaded, duration: Seconds?) {
        var loaded = opened
        loaded.duration = duration
        phase.loaded = loaded
        guard !loaded.hasReached, loaded.start > Durations.lastPlace(in: duration) else { return }
        let place = Place(of: loaded, at: now)
        if phase.wantsSound { load(at: place) } else { unload(storing: .pause) }
    }

    private mutating func reached(_ reached: Loaded, _ place: Seconds) {
        var loaded = reached
        let isFirst = !loaded.hasReached
        loaded.hasReached = true
        loaded.isOutOfBytes = loaded.isOutOfBytes && loaded.isStalled
        if let next = loaded.seek?.next {
            send(&loaded, seekTo: next)
        } else {
            loaded.arrive(at: place, now: now)
        }
        phase.loaded = loaded
        if loaded.seek != nil { saveSoon(.seek) }
        guard case .loading = phase else { return }
        begin(loaded)
        if isFirst { hasJumped = place > 0 }
    }

    /// Sound from here on, unless bytes are missing.
    mutating func begin(_ reached: Loaded) {
        var loaded = reached
        saving.since = now
        hasJumped = true
        if loaded.isStalled { return phase = .buffering(loaded) }
        told = []
        loaded.run(at: rate, from: now)
        phase = .playing(loaded)
    }

    /// The answer to `askPosition`; one from before the last jump is too old.
    private mutating func learned(_ learned: Loaded, place: Seconds, at: Instant) {
        guard learned.hasReached, learned.seek == nil, place.isFinite, at >= learned.playhead.arrived else { return }
        var loaded = learned
        loaded.correct(to: place.asPlace, at: at, pace: rate)
        phase.loaded = loaded
        if saving.asked != nil { return store(loaded, .interval) }
        // A seek that failed while paused: what was stored of it is mended, since no rhythm will.
        guard !loaded.playhead.isRunning, let stored = saving.position else { return }
        if abs(stored - loaded.storable(at: now)) > 1 { saveSoon(.seek) }
    }
}

extension Loaded {
    /// A seek, or the load, has come to its place: a new stretch of listening begins.
    mutating func arrive(at place: Seconds, now: Instant) {
        if seek != nil || abs(playhead.position(at: now) - place) > 2 { stretch = place }
        seek = nil
        playhead.jump(to: place, at: now)
    }

    /// The same stretch goes on, unless it is somewhere else altogether (a seek that failed, PB-26).
    mutating func correct(to place: Seconds, at: Instant, pace: Double) {
        var corrected = playhead
        corrected.correct(to: place, at: at, pace: pace)
        if abs(playhead.position(at: corrected.anchor) - corrected.position) > 2 { stretch = corrected.position }
        playhead = corrected
    }

    /// Where the decoder stands, now.
    mutating func correct(to place: Seconds, now: Instant) {
        if abs(playhead.position(at: now) - place) > 2 { stretch = place }
        playhead.jump(to: place, at: now)
    }
}
