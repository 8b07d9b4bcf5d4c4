import Library

/// Someone to play to: the car of that address, or the configured fallback.
struct Sink: Hashable, Sendable {
    var car: String?
}

/// The car's link, apart from whether it listens.
struct CarLink: Hashable, Sendable {
    let address: String
    let since: Instant
    var hasPressedPlay = false
}

extension PlayerState {
    mutating func outputAppeared(car: String?) {
        let former = sink
        // What the engine has stays at the output it was loaded for.
        if let former, former.car != car { lose(former.car == nil ? .outputLost : .carLost) }
        sink = Sink(car: car)
        goOnIfReturned()
    }

    mutating func outputLost() { lose(.outputLost) }

    mutating func carConnected(_ address: String) {
        guard car?.address != address else { return }
        car = CarLink(address: address, since: now)
    }

    /// With the car its sink goes, whoever reports first; a fallback goes on.
    mutating func carLeft() {
        car = nil
        if sink?.car != nil { lose(.carLost) }
        guard case .paused(var paused) = phase, paused.reason == .outputLost, paused.car != nil else { return }
        paused.reason = .carLost
        phase = .paused(paused)
    }

    /// Nobody listens any more: silent and stored at once, nothing is left in the engine.
    private mutating func lose(_ reason: PauseReason) {
        let why: Heard.Reason = reason == .carLost ? .carLost : .outputLost
        halt(reason, storing: why)
        unload(storing: why)
        sink = nil
    }

    /// Goes on by itself if the policy says so, now that there is an output (product.md, Resume).
    mutating func goOnIfReturned() {
        guard let sink else { return }
        switch phase {
        case .idle where settings.resume == .always: play()
        case .paused(let paused) where returns(paused, to: sink): resume(paused)
        case .idle, .paused, .loading, .playing, .buffering, .failed: break
        }
    }

    func returns(_ paused: Paused, to sink: Sink) -> Bool {
        if paused.loaded != nil || paused.isWishedWhileAway || settings.resume == .never { return false }
        let isSame = paused.car == nil || paused.car == sink.car || settings.resume == .always
        switch paused.reason {
        case .carLost, .outputLost, .call: return isSame
        case .outOfBytes: return isSame && network == .online
        case .driver, .held, nil: return settings.resume == .always && paused.place?.isFinished != true
        case .shutdown: return false
        }
    }

    private mutating func resume(_ paused: Paused) {
        told = []
        if let place = paused.place { load(at: place) }
    }
}
