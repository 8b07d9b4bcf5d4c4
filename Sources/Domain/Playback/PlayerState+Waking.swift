import Library

extension PlayerState {
    /// Does what was due; an early call is no reason to do anything.
    mutating func timePassed() {
        guard let wakeAt, now >= wakeAt else { return }
        self.wakeAt = nil
        hurrySeek()
        save()
        runOutOfBytes()
    }

    /// One wish at a time, and only when it has changed.
    mutating func wakeWhenDue() {
        let due = isShutDown ? nil : dues.min()
        guard due != wakeAt else { return }
        wakeAt = due
        effects.append(.wake(at: due.map { max($0, now) }))
    }

    private var dues: [Instant] {
        guard let loaded = phase.loaded else { return [] }
        let all = [
            openingDue(loaded), saveDue(loaded), saving.pending?.due, loaded.seekDue, slowSeekDue,
            keepsPlayingUntil(after: now),
            readPlace(loaded).flatMap { loaded.playhead.moment(of: $0) },
            loaded.listedLimit.flatMap { loaded.playhead.moment(of: $0) },
        ]
        return all.compactMap { $0 }
    }

    /// When a seek under way begins to be noticed.
    private var slowSeekDue: Instant? {
        guard case .playing(let loaded) = phase, let seek = loaded.seek else { return nil }
        let due = seek.since.advanced(by: Seeking.unnoticed)
        return due > now ? due : nil
    }

    /// Until when the car goes on seeing Playing; nil once that is over.
    private func keepsPlayingUntil(after now: Instant) -> Instant? {
        guard case .loading(let loading) = phase, let until = loading.keepsPlayingUntil, until > now else { return nil }
        return until
    }

    /// For the next load: 2 s from the last sound of a running drive (AV-27).
    var keepsPlayingUntil: Instant? {
        if case .playing = phase { return now.advanced(by: 2) }
        return keepsPlayingUntil(after: now)
    }
}
