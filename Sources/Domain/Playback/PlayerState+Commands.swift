import Library

extension PlayerState {
    /// What a wish means now. Absolute ones are obeyed as they come; those that add up or toggle count once per press.
    mutating func obey(_ command: Command, from origin: Origin) {
        switch command {
        case .play: pressPlay(from: origin)
        case .pause where origin == .car && settings.toggleKey == .pause: toggle(from: origin)
        case .pause, .stop: pause()
        case .toggle: toggle(from: origin)
        case .next: press(.forward, from: origin)
        case .previous: press(.back, from: origin)
        case .nextEpisode: step(.episode(.forward), from: origin)
        case .previousEpisode: step(.episode(.back), from: origin)
        case .seek(let place): seek(to: place)
        case .skip(let seconds): step(.skip(seconds), from: origin)
        case .rate(let rate): setRate(rate)
        case .select(let queued): select(queued)
        }
    }

    mutating func toggle(from origin: Origin) {
        guard counts(.toggle, from: origin) else { return }
        if phase.wantsSound && !isWaiting { pause() } else { play() }
    }

    /// The wheel's Next and Previous, by the car's setting; Next leads away from what waits or can't be played.
    private mutating func press(_ direction: Direction, from origin: Origin) {
        if direction == .forward && (isWaiting || phase.isOver) { return step(.episode(.forward), from: origin) }
        switch settings.next {
        case .skip: step(.skip(settings.skip(direction)), from: origin)
        case .episode: step(.episode(direction), from: origin)
        case .chapter: step(.chapter(direction), from: origin)
        }
    }

    private mutating func step(_ meaning: Press.Meaning, from origin: Origin) {
        guard counts(meaning, from: origin) else { return }
        switch meaning {
        case .skip(let seconds): skip(by: seconds)
        case .chapter(let direction): skipChapter(direction)
        case .episode(.forward): nextEpisode()
        case .episode(.back): previousEpisode()
        case .toggle: break
        }
    }

    mutating func setRate(_ wish: Double) {
        let wish = PlayerSettings.clamped(wish)
        guard wish != rate else { return }
        rate = wish
        hasJumped = true
        guard var loaded = phase.loaded else { return }
        if loaded.playhead.isRunning { loaded.run(at: wish, from: now) }
        phase.loaded = loaded
        effects.append(.setRate(wish))
        saveSoon(.rate)
    }
}

extension PlayerSettings {
    func skip(_ direction: Direction) -> Seconds { direction == .forward ? skipForward : -skipBack }
}
