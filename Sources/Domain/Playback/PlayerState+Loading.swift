import Library

extension PlayerState {
    /// Gives the current episode to the engine, to be played as soon as its start is reached.
    mutating func load(at place: Place, keepsPlayingUntil: Instant? = nil) {
        guard let current else { return }
        guard let enclosure = current.episode.audio else { return fail(.notFound, at: place) }
        var place = place
        let last = Durations.lastPlace(in: place.duration)
        place.position = min(place.position, last)
        let start = rewound(place.position, heard: place.heard, duration: place.duration)
        generation = Generation(generation.number + 1)
        let listed = Durations.ofServer(current.episode.duration, heardUpTo: start)
        let loaded = Loaded(generation, enclosure, start: start, goingOnAt: place, listed: listed, now: now)
        saving = Saving()
        phase = .loading(Loading(loaded: loaded, keepsPlayingUntil: keepsPlayingUntil))
        effects.append(.load(Load(of: current.episode, loaded, rate: rate)))
    }

    /// This one can't be played: say so once and stay (media.md).
    mutating func fail(_ failure: Failure, at place: Place) {
        guard let current else { return }
        if phase.loaded != nil { effects.append(.unload) }
        saving = Saving()
        phase = .failed(Failed(failure: failure, place: place))
        effects.append(.tell(.cannotPlay(current.episode.id)))
    }
}

extension Load {
    init(of episode: Episode, _ loaded: Loaded, rate: Double) {
        self.init(
            generation: loaded.generation, episode: episode, enclosure: loaded.enclosure, start: loaded.start,
            rate: rate, isPaused: false)
    }
}

extension Episode {
    /// The enclosure to play: the first that says it is audio, else the first, since types are often missing or odd.
    var audio: Enclosure? {
        enclosures.first { $0.type?.lowercased().hasPrefix("audio/") ?? false } ?? enclosures.first
    }
}
