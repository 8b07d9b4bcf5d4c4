import Library

extension PlayerState {
    /// The next to play; without network a kept one if there is any.
    var nextInQueue: Queued? {
        let kept = network == .online ? nil : queue.first { $0.isKept }
        return kept ?? queue.first
    }

    /// Never contains the current one, and none twice.
    mutating func replaceQueue(_ new: [Queued]) {
        var seen = Set([current?.episode.id].compactMap { $0 })
        queue = new.filter { seen.insert($0.episode.id).inserted }
    }

    mutating func nextEpisode() {
        if isWaiting { return takeKept() }
        guard let next = nextInQueue else { return }
        leave(for: next)
    }

    /// Back to what was left last, else to the beginning.
    mutating func previousEpisode() {
        guard let former = history.popLast() else { return seek(to: 0) }
        leave(for: former)
        if let left = history.popLast() { queue.insert(left, at: 0) }
    }

    mutating func select(_ queued: Queued) {
        told = []
        if queued.episode.id == current?.episode.id { return isWaiting ? tryAgain() : play() }
        leave(for: queued, plays: true)
    }

    /// Out of bytes: the next kept one plays, and the waiting one stays where it was. Without one the same is tried again.
    mutating func takeKept() {
        guard let waiting = current else { return }
        guard let kept = queue.first(where: { $0.isKept }) else { return tryAgain() }
        told = []
        storeBeforeChange()
        let position = phase.storable(at: now) ?? waiting.position
        go(to: kept, plays: true)
        queue.insert(waiting.moved(to: position), at: 0)
    }

    private mutating func tryAgain() {
        told = []
        if case .paused(let paused) = phase, let place = paused.place { return start(at: place) }
        tellOutOfBytes(network)
    }

    /// Another episode; plays on if this one did, or can't any more.
    mutating func leave(for next: Queued, plays: Bool? = nil) {
        told = []
        let plays = plays ?? (phase.wantsSound || phase.isOver)
        let until = keepsPlayingUntil
        storeBeforeChange()
        remember()
        go(to: next, plays: plays, keepsPlayingUntil: until)
    }

    /// A place for Previous to come back to; bounded, since a drive is.
    mutating func remember(at place: Seconds? = nil) {
        guard let current else { return }
        let position = place ?? phase.storable(at: now) ?? current.position
        history.removeAll { $0.episode.id == current.episode.id }
        history.append(current.moved(to: position))
        if history.count > 50 { history.removeFirst() }
    }

    mutating func go(to next: Queued, plays: Bool, keepsPlayingUntil: Instant? = nil) {
        queue.removeAll { $0.episode.id == next.episode.id }
        history.removeAll { $0.episode.id == next.episode.id }
        current = next
        effects.append(.currentChanged(next.episode.id))
        let place = Place(next, at: now)
        if plays { return start(at: place, keepsPlayingUntil: keepsPlayingUntil) }
        guard case .paused(let paused) = phase else { return rest(at: place, .driver) }
        rest(at: place, paused.reason)
    }

    /// Not playing, nothing in the engine; `reason` nil: it came to its end.
    mutating func rest(at place: Place, _ reason: PauseReason?) {
        if phase.loaded != nil { effects.append(.unload) }
        saving = Saving()
        var paused = Paused(reason, .unloaded(place), since: now)
        if case .paused(let former) = phase {
            paused.since = former.since
            paused.car = former.car
            paused.isWishedWhileAway = former.isWishedWhileAway
        }
        phase = .paused(paused)
    }

    /// The server's position for what is queued; for the current one only if it is paused and was not touched here since
    /// (POS-20).
    mutating func learnPosition(of id: EpisodeID, _ position: Seconds) {
        guard position >= 0, position <= Seconds.longest else { return }
        for index in queue.indices where queue[index].episode.id == id { queue[index].position = position }
        for index in history.indices where history[index].episode.id == id { history[index].position = position }
        guard id == current?.episode.id, abs(position - (phase.storable(at: now) ?? 0)) > 1 else { return }
        var place = Place(position: position, heard: now.advanced(by: -60))
        switch phase {
        case .paused(let paused) where !paused.isTouched && paused.place?.isFinished != true:
            place.duration = paused.place?.duration
            rest(at: place, paused.reason)
        case .failed(let failed): phase = .failed(Failed(failure: failed.failure, place: place))
        case .idle, .loading, .playing, .buffering, .paused: return
        }
        hasJumped = true
    }
}

extension Queued {
    func moved(to position: Seconds) -> Queued {
        var queued = self
        queued.position = position
        queued.away = 0
        return queued
    }
}
