import Library

extension PlayerState {
    /// Play as a key sends it: the car's first one may be the car's own idea (AV-23), and may be its only key (AV-22).
    mutating func pressPlay(from origin: Origin) {
        if takeFirstPlay(from: origin) { return playFirst() }
        if origin == .car && settings.toggleKey == .play { return toggle(from: origin) }
        play()
    }

    /// Play: absolute, at any moment.
    mutating func play() {
        told = []
        switch phase {
        case .idle: if let first = nextInQueue { go(to: first, plays: true) }
        case .playing: break
        case .loading, .buffering: if isWaiting { takeKept() }
        case .paused(let paused): goOn(paused)
        case .failed(let failed): start(at: failed.place)
        }
    }

    private mutating func goOn(_ paused: Paused) {
        switch paused.rest {
        case .loaded(let loaded): goOn(loaded)
        case .unloaded where paused.reason == .outOfBytes && sink != nil: takeKept()
        case .unloaded(let place) where place.isFinished: startAnew()
        case .unloaded(let place): start(at: place)
        }
    }

    /// Goes on with what the engine still has, a few seconds earlier if time has passed.
    private mutating func goOn(_ paused: Loaded) {
        var loaded = paused
        if loaded.hasReached { goBack(&loaded) }
        effects.append(.setPaused(false, loaded.generation))
        phase = .loading(Loading(loaded: loaded))
        if loaded.hasReached { begin(loaded) }
        runOutOfBytes()
    }

    /// After the true end of the last one: what came to the queue since, else once more from the beginning.
    private mutating func startAnew() {
        if let next = nextInQueue { return go(to: next, plays: true) }
        start(at: Place(position: 0, heard: now))
    }

    /// Loads and plays, if anyone can hear it.
    mutating func start(at place: Place, keepsPlayingUntil: Instant? = nil) {
        guard sink != nil else { return wishForOutput(at: place) }
        load(at: place, keepsPlayingUntil: keepsPlayingUntil)
    }

    /// PB-21: nothing fails, nothing moves; the wish is kept for the output that appears.
    private mutating func wishForOutput(at place: Place) {
        var paused = Paused(.outputLost, .unloaded(place), since: now)
        if case .paused(let former) = phase { paused.isTouched = former.isTouched && former.place == place }
        phase = .paused(paused)
        effects.append(.tell(.noOutput))
    }
}
