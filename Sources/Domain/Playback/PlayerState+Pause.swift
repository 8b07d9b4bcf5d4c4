import Library

extension PlayerState {
    /// Pause and Stop: absolute, at any moment. When the car (or the output) has just left, the pause becomes the driver's
    /// own and is not ended by its return.
    mutating func pause() {
        switch phase {
        case .idle, .failed: break
        case .loading, .playing, .buffering: halt(.driver, storing: .pause)
        case .paused(var paused):
            guard paused.place?.isFinished != true else { break }
            paused.reason = .driver
            paused.since = now
            paused.isWishedWhileAway = sink == nil
            phase = .paused(paused)
        }
    }

    /// Silence first, then the place on the disk; stays in the engine.
    mutating func halt(_ reason: PauseReason, storing why: Heard.Reason) {
        guard phase.wantsSound, var loaded = phase.loaded else { return }
        effects.append(.setPaused(true, loaded.generation))
        loaded.stand(at: now)
        phase = .paused(Paused(reason, .loaded(loaded), since: now, car: sink?.car))
        store(loaded, why)
    }

    /// Takes a paused episode out of the engine; its place stays.
    mutating func unload(storing why: Heard.Reason) {
        guard case .paused(var paused) = phase, let loaded = paused.loaded else { return }
        if saving.pending != nil { store(loaded, why) }
        effects.append(.unload)
        paused.rest = .unloaded(Place(of: loaded, at: now))
        phase = .paused(paused)
        saving = Saving()
    }
}
