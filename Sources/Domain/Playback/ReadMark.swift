import Library

/// Read at 90 %: not by getting there, but by listening on from there (product.md, POS-13).
enum ReadMark {
    /// How much more is played, seconds of the episode.
    static let more: Seconds = 10

    /// The place at which the listening since the last seek is enough; nil: only the true end marks.
    static func place(percent: Double, of duration: Seconds?, stretch: Seconds) -> Seconds? {
        guard let duration, percent.isFinite else { return nil }
        let mark = duration * min(max(percent, 1), 100) / 100
        let place = max(mark, stretch) + more
        return place < duration ? place : nil
    }
}

extension PlayerState {
    /// Once per load, and never twice for what is read.
    mutating func markReadIfHeard() {
        guard var loaded = phase.loaded, let place = readPlace(loaded), let id = current?.episode.id else { return }
        // The wake comes to the nanosecond; the sum of places need not.
        guard loaded.place(at: now) >= place - 0.001 else { return }
        loaded.isMarkedRead = true
        phase.loaded = loaded
        current?.episode.isRead = true
        effects.append(.markRead(id))
        store(loaded, .read)
    }

    func readPlace(_ loaded: Loaded) -> Seconds? {
        guard loaded.hasReached, loaded.seek == nil, !loaded.isMarkedRead, let episode = current?.episode, !episode.isRead
        else { return nil }
        return ReadMark.place(percent: settings.readAt, of: loaded.believedDuration, stretch: loaded.stretch)
    }
}
