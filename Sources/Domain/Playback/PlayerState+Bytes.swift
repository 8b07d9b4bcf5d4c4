import Library

extension PlayerState {
    /// Waits for bytes that no network brings: the driver's Play or Next then takes another one (product.md, Out of bytes).
    var isWaiting: Bool {
        if case .paused(let paused) = phase { return paused.reason == .outOfBytes }
        return phase.wantsSound && phase.loaded?.isOutOfBytes == true
    }

    mutating func stalled(_ stalled: Loaded, at place: Seconds) {
        var loaded = stalled
        loaded.isStalled = true
        if phase.wantsSound && loaded.hasReached && loaded.seek == nil { loaded.correct(to: place, now: now) }
        loaded.stand(at: now)
        phase.loaded = loaded
        if case .playing = phase { phase = .buffering(loaded) }
        runOutOfBytes()
    }

    mutating func flowing(_ flowing: Loaded, from place: Seconds) {
        var loaded = flowing
        loaded.isStalled = false
        loaded.isOutOfBytes = false
        if phase.wantsSound && loaded.hasReached && loaded.seek == nil { loaded.correct(to: place, now: now) }
        phase.loaded = loaded
        guard case .buffering = phase else { return }
        told = []
        hasJumped = true
        // Stored during the stall: that is as new as a place gets.
        if saving.position == loaded.storable(at: now) { saving.since = now }
        loaded.run(at: rate, from: now)
        phase = .playing(loaded)
    }

    mutating func networkChanged(_ network: NetworkState) {
        self.network = network
        if network != .online { return runOutOfBytes() }
        phase.loaded?.isOutOfBytes = false
        guard case .paused(var paused) = phase, paused.reason == .outOfBytes, let place = paused.place else { return }
        if sink != nil { return load(at: place) }
        paused.reason = .outputLost
        phase = .paused(paused)
    }

    /// Stalled, or opening for long, with no network: the wait has a reason now.
    mutating func runOutOfBytes() {
        guard network != .online, phase.wantsSound, let loaded = phase.loaded else { return }
        guard loaded.isStalled || !loaded.hasReached && loaded.openingLimit <= now else { return }
        phase.loaded?.isOutOfBytes = true
        tellOutOfBytes(network)
    }

    /// When an opening will have taken long; nil: never, or that is known already.
    func openingDue(_ loaded: Loaded) -> Instant? {
        guard case .loading = phase, network != .online, !loaded.hasReached, !loaded.isOutOfBytes else { return nil }
        return loaded.openingLimit
    }

    /// Each cause once per wait.
    mutating func tellOutOfBytes(_ network: NetworkState) {
        let message = DriverMessage(missing: network)
        if told.insert(message).inserted { effects.append(.tell(message)) }
    }
}

extension DriverMessage {
    /// Why no bytes come. A network that is there and brings none is as good as none.
    init(missing network: NetworkState) {
        switch network {
        case .signIn: self = .signIn
        case .waitingForTime: self = .waitingForTime
        case .online, .offline: self = .outOfBytes(.offline)
        }
    }
}
