import Library

extension PlayerState {
    /// AV-23: many cars press Play by themselves on connecting. True for the car's first Play if it came that early.
    mutating func takeFirstPlay(from origin: Origin) -> Bool {
        guard origin == .car, let link = car, !link.hasPressedPlay else { return false }
        car?.hasPressedPlay = true
        return now.seconds(since: link.since) <= settings.holdFirstPlay
    }

    /// Held after the driver's own pause; needless where the car's sink, still to come, will make it go on by itself.
    mutating func playFirst() {
        if isOwnPauseBeforeTheCarCame { return hold() }
        if case .paused(let paused) = phase, sink == nil, returns(paused, to: Sink(car: car?.address)) { return }
        play()
    }

    /// The driver paused it himself, and not since the car is here.
    private var isOwnPauseBeforeTheCarCame: Bool {
        guard case .paused(let paused) = phase, let car else { return false }
        return paused.reason == .driver && paused.since <= car.since
    }

    /// Waits for a second Play, or one from somewhere else.
    private mutating func hold() {
        guard case .paused(var paused) = phase else { return }
        paused.reason = .held
        phase = .paused(paused)
    }
}
