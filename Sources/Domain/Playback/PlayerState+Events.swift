import Library

extension PlayerState {
    mutating func learn(_ event: Event) {
        switch event {
        case .restored(let queued, let wasPlaying): restore(queued, wasPlaying: wasPlaying)
        case .queueChanged(let queue): replaceQueue(queue)
        case .positionLearned(let id, let position): learnPosition(of: id, position)
        case .engine(let generation, let event): hear(event, of: generation)
        case .outputAppeared(let car): outputAppeared(car: car)
        case .outputLost: outputLost()
        case .carConnected(let address): carConnected(address)
        case .carLeft: carLeft()
        case .networkChanged(let network): networkChanged(network)
        case .settingsChanged(let settings): change(settings)
        case .shutdownRequested: shutDown()
        case .timePassed: timePassed()
        }
    }

    /// Goes on where the last run was cut off; a driver's own pause stays one.
    private mutating func restore(_ queued: Queued?, wasPlaying: Bool) {
        guard let queued, current == nil else { return }
        current = queued
        queue.removeAll { $0.episode.id == queued.episode.id }
        let rest = Paused.Rest.unloaded(Place(queued, at: now))
        phase = .paused(Paused(wasPlaying ? .carLost : .driver, rest, since: now))
        effects.append(.currentChanged(queued.episode.id))
        goOnIfReturned()
    }

    private mutating func change(_ settings: PlayerSettings) {
        let former = self.settings
        self.settings = settings
        if settings.startRate != former.startRate { setRate(settings.startRate) }
    }

    private mutating func shutDown() {
        halt(.shutdown, storing: .shutdown)
        unload(storing: .shutdown)
        isShutDown = true
    }
}
