import Library

extension PlayerState {
    /// The only thing that finishes an episode (PB-01, PB-02).
    mutating func ended(_ loaded: Loaded) {
        if loaded.hasReached, let seek = loaded.seek { return endedInSeek(loaded, seek) }
        // An end before the start was reached is a file that doesn't go that far, unless the start lay at its end.
        let isAtEnd = loaded.duration.map { loaded.start >= $0 - 1.5 } ?? false
        guard loaded.hasReached || isAtEnd else { return failed(loaded, .media) }
        finish(loaded)
    }

    /// A seek alone never marks or finishes (POS-13): behind the end of a file of unknown length lies the next episode, and
    /// a seek back at the last moment is still a seek back.
    private mutating func endedInSeek(_ ended: Loaded, _ seek: Seeking) {
        var loaded = ended
        if seek.target < seek.from {
            let place = Place(of: loaded, at: now)
            return phase.wantsSound ? load(at: place) : unload(storing: .pause)
        }
        loaded.forgetSeek(now: now)
        phase.loaded = loaded
        if let next = nextInQueue { leave(for: next) } else { rest(at: Place(of: loaded, at: now), nil) }
    }

    private mutating func finish(_ loaded: Loaded) {
        let plays = phase.wantsSound
        let until = keepsPlayingUntil
        if !loaded.isMarkedRead, let id = current?.episode.id { effects.append(.markRead(id)) }
        storeEnd(loaded)
        current?.episode.isRead = true
        current?.position = 0
        guard let next = nextInQueue else { return restAtEnd(loaded) }
        remember(at: 0)
        go(to: next, plays: plays, keepsPlayingUntil: until)
    }

    private mutating func restAtEnd(_ loaded: Loaded) {
        var place = Place(position: loaded.duration ?? loaded.place(at: now), duration: loaded.duration, heard: now)
        place.isFinished = true
        rest(at: place, nil)
    }

    /// It can't go on, and nothing was skipped: the queue never moves by itself.
    mutating func failed(_ failed: Loaded, _ failure: Failure) {
        guard phase.wantsSound else { return unload(storing: .pause) }
        switch failure {
        case .device:
            halt(.outputLost, storing: .outputLost)
            unload(storing: .outputLost)
        case .offline, .unauthorized:
            halt(.outOfBytes, storing: .pause)
            unload(storing: .pause)
            tellOutOfBytes(failure == .unauthorized ? .signIn : network)
        case .media, .notFound, .internal:
            var loaded = failed
            loaded.stand(at: now)
            store(loaded, .pause)
            fail(failure, at: Place(of: loaded, at: now))
        }
    }
}
