import Library

/// When positions go to the disk: in a rhythm while playing, some seconds after seeks and speed changes (all of them in one
/// write), at once for everything that ends listening (sync.md).
struct Saving: Hashable, Sendable {
    struct Pending: Hashable, Sendable {
        var reason: Heard.Reason
        var due: Instant
    }

    /// Seeks and speed changes within this time are one write.
    static let gathering: Seconds = 5
    /// How long an answer to `askPosition` is waited for; the write comes without it too.
    static let patience: Seconds = 0.25

    /// The last write, or when playing began.
    var since = Instant(nanoseconds: 0)
    var asked: Instant?
    var pending: Pending?
    /// What was written last.
    var position: Seconds?
}

extension PlayerSettings {
    /// Runs 0.5 s shorter than `save-every`, the longest age of a stored position; at most 12 writes a minute.
    var saveRhythm: Seconds { saveEvery.isFinite ? min(max(saveEvery - 0.5, 5), 3600) : 9.5 }
}

extension PlayerState {
    /// The only place where a position leaves for the disk: never before the start was reached, always with its episode.
    mutating func store(_ loaded: Loaded, _ reason: Heard.Reason) {
        guard loaded.hasReached else { return }
        let place = loaded.storable(at: now)
        write(heard(loaded, place, reason))
    }

    /// A true end is position 0, and heard whole.
    mutating func storeEnd(_ loaded: Loaded) {
        var end = heard(loaded, 0, .end)
        end?.isFinished = true
        write(end)
    }

    /// What is left for another episode; a paused one has been stored already.
    mutating func storeBeforeChange() {
        guard let loaded = phase.loaded, phase.wantsSound || saving.pending != nil else { return }
        store(loaded, .episodeChange)
    }

    mutating func saveSoon(_ reason: Heard.Reason) {
        guard phase.loaded?.hasReached == true, saving.pending == nil else { return }
        saving.pending = Saving.Pending(reason: reason, due: now.advanced(by: Saving.gathering))
    }

    /// What is due now.
    mutating func save() {
        guard let loaded = phase.loaded else { return }
        if let pending = saving.pending, pending.due <= now { return store(loaded, pending.reason) }
        guard let due = saveDue(loaded), due <= now else { return }
        if case .playing = phase, loaded.seek == nil, saving.asked == nil {
            saving.asked = now
            return effects.append(.askPosition(loaded.generation))
        }
        store(loaded, .interval)
    }

    /// The rhythm's next write, or the end of waiting for the engine's answer; nil while the place stands and is stored.
    func saveDue(_ loaded: Loaded) -> Instant? {
        switch phase {
        case .playing: break
        case .buffering where saving.pending == nil && saving.position != loaded.storable(at: now): break
        case .idle, .loading, .buffering, .paused, .failed: return nil
        }
        return saving.asked?.advanced(by: Saving.patience) ?? saving.since.advanced(by: settings.saveRhythm)
    }

    private func heard(_ loaded: Loaded, _ place: Seconds, _ reason: Heard.Reason) -> Heard? {
        guard let episode = current?.episode else { return nil }
        return Heard(
            episode: episode.id, enclosure: loaded.enclosure.number, position: place,
            duration: loaded.believedDuration, at: now, reason: reason)
    }

    private mutating func write(_ heard: Heard?) {
        guard let heard else { return }
        effects.append(.store(heard))
        saving = Saving(since: now, position: heard.position)
    }
}
