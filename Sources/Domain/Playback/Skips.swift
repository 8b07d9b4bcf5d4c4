import Library

extension PlayerState {
    /// 0…the end, behind which lies the next episode; without anything in the engine it moves the place to go on from.
    mutating func seek(to wish: Seconds) {
        guard wish.isFinite else { return }
        if let end = phase.duration, wish >= end, skipPastEnd() { return }
        switch phase {
        case .idle: return
        case .loading, .playing, .buffering: aim(at: wish)
        case .paused(var paused):
            paused.isTouched = true
            paused.move(to: wish, at: now)
            phase = .paused(paused)
            if paused.loaded != nil { aim(at: wish) }
        case .failed(var failed):
            failed.place.move(to: wish, at: now)
            phase = .failed(failed)
        }
        hasJumped = true
    }

    mutating func skip(by delta: Seconds) {
        guard delta.isFinite, let place = phase.position(at: now) else { return }
        seek(to: place + delta)
    }

    mutating func skipChapter(_ direction: Direction) {
        guard let place = phase.position(at: now) else { return }
        switch chapterStart(direction, from: place) {
        case .noChapters: skip(by: settings.skip(direction))
        case .start(let start): seek(to: start)
        case .end: _ = skipPastEnd()
        }
    }

    /// The next episode; the old one keeps the place it was really heard to, and is not marked read. False: there is none.
    private mutating func skipPastEnd() -> Bool {
        guard let next = nextInQueue else { return false }
        phase.loaded?.forgetSeek(now: now)
        leave(for: next)
        return true
    }

    /// Quick wishes add up: one seek is under way at most, later ones only move its successor's target. During a load it
    /// waits for the start (PB-25).
    private mutating func aim(at wish: Seconds) {
        guard var loaded = phase.loaded else { return }
        let target = loaded.clamped(wish)
        let from = loaded.seek?.from ?? loaded.storable(at: now)
        loaded.unrewound = 0
        if loaded.hasReached && loaded.seek == nil {
            loaded.seek = Seeking(sent: target, since: now, from: from)
            send(&loaded, seekTo: target)
        } else {
            let sent = loaded.seek?.sent ?? loaded.start
            loaded.seek = Seeking(sent: sent, since: loaded.seek?.since ?? now, next: target, from: from)
        }
        phase.loaded = loaded
        saveSoon(.seek)
    }

    /// The length may be known only now.
    mutating func send(_ loaded: inout Loaded, seekTo wish: Seconds) {
        let target = loaded.clamped(wish)
        let from = loaded.seek?.from ?? loaded.storable(at: now)
        loaded.seek = Seeking(sent: target, since: now, from: from)
        loaded.playhead.jump(to: target, at: now)
        loaded.stretch = target
        effects.append(.seek(to: target, loaded.generation))
    }

    /// After a time away: a few seconds back, while the stored place stays the unrewound one.
    mutating func goBack(_ loaded: inout Loaded) {
        let place = loaded.place(at: now)
        let back = rewound(place, heard: loaded.heard, duration: loaded.duration)
        guard back < place, loaded.seek == nil else { return }
        loaded.unrewound = loaded.storable(at: now)
        send(&loaded, seekTo: back)
    }

    /// `reached` is overdue: the next wish is sent all the same, else the engine is asked where it is (PB-26).
    mutating func hurrySeek() {
        guard var loaded = phase.loaded, let due = loaded.seekDue, due <= now, let seek = loaded.seek else { return }
        if let next = seek.next {
            send(&loaded, seekTo: next)
        } else {
            loaded.seek = nil
            loaded.stretch = loaded.place(at: now)
            effects.append(.askPosition(loaded.generation))
        }
        phase.loaded = loaded
    }
}

extension Loaded {
    func clamped(_ wish: Seconds) -> Seconds {
        min(wish.asPlace, Durations.lastPlace(in: duration))
    }

    /// When a seek's answer is overdue. A load takes as long as it takes, and so does a stall.
    var seekDue: Instant? {
        guard hasReached, let seek, seek.next != nil || !isStalled else { return nil }
        return seek.since.advanced(by: Seeking.patience)
    }

    mutating func forgetSeek(now: Instant) {
        guard let seek else { return }
        playhead.jump(to: seek.from, at: now)
        self.seek = nil
    }
}

extension Place {
    mutating func move(to wish: Seconds, at now: Instant) {
        position = min(wish.asPlace, Durations.lastPlace(in: duration))
        heard = now
        isFinished = false
    }
}

extension Paused {
    /// Whoever chose the place wants to hear it from there: no rewind for the time before.
    mutating func move(to wish: Seconds, at now: Instant) {
        switch rest {
        case .loaded(var loaded):
            loaded.heard = now
            rest = .loaded(loaded)
        case .unloaded(var place):
            place.move(to: wish, at: now)
            rest = .unloaded(place)
        }
    }
}
