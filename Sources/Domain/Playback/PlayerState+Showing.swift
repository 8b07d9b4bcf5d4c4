import Library

extension PlayerState {
    /// The one value from which car, MPRIS and phones are told.
    public func nowPlaying(at moment: Instant) -> NowPlaying {
        let position = phase.position(at: moment)
        let duration = shownDuration
        return NowPlaying(
            phase: shownPhase(at: moment), reason: shownReason, episode: current?.episode, duration: duration,
            position: position.map { min($0, duration ?? .infinity) }, at: moment, rate: rate,
            keepsPlaying: keepsPlaying(at: moment), failure: shownFailure)
    }

    private func shownPhase(at moment: Instant) -> NowPlaying.Phase {
        switch phase {
        case .idle: .idle
        case .loading: .loading
        case .playing(let loaded): loaded.isSeekingLong(at: moment) ? .buffering : .playing
        case .buffering: .buffering
        case .paused: .paused
        case .failed: .error
        }
    }

    private var shownDuration: Seconds? {
        if let loaded = phase.loaded { return loaded.believedDuration }
        return phase.duration ?? Durations.ofServer(current?.episode.duration, heardUpTo: phase.place?.position ?? 0)
    }

    private var shownReason: PauseReason? {
        if case .paused(let paused) = phase { return paused.reason }
        return isWaiting ? .outOfBytes : nil
    }

    private var shownFailure: Failure? {
        if case .failed(let failed) = phase { failed.failure } else { nil }
    }

    private func keepsPlaying(at moment: Instant) -> Bool {
        guard case .loading(let loading) = phase, let until = loading.keepsPlayingUntil else { return false }
        return moment < until && !loading.loaded.isOutOfBytes
    }

    /// Once per real change: what is seen, or a place that did not just run on.
    mutating func showIfChanged() {
        let new = nowPlaying(at: now)
        let jumped = hasJumped || hasDrifted(new)
        hasJumped = false
        guard jumped || !shown.looksLike(new) else { return }
        shown = new
        effects.append(.show(jumped: jumped))
    }

    /// Corrections stay unnoticed until they add up; the place of a load is announced when it is reached (PB-23).
    private func hasDrifted(_ new: NowPlaying) -> Bool {
        guard new.phase != .loading, shown.episode?.id == new.episode?.id else { return false }
        guard let former = shown.position(at: now), let position = new.position else { return false }
        return abs(former - position) > 0.3
    }
}

extension NowPlaying {
    /// Everything but the place and its moment.
    func looksLike(_ other: NowPlaying) -> Bool {
        phase == other.phase && reason == other.reason && episode == other.episode && duration == other.duration
            && rate == other.rate && keepsPlaying == other.keepsPlaying && failure == other.failure
    }
}

extension Loaded {
    /// A seek that takes noticeably long is shown as waiting (AV-06).
    func isSeekingLong(at moment: Instant) -> Bool {
        guard let seek else { return false }
        return moment >= seek.since.advanced(by: Seeking.unnoticed)
    }
}
