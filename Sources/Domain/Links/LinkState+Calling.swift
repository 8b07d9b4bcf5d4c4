import Library

// Which car is called, and when.
extension LinkState {
    /// Seconds for BlueZ's own attempt after a lost link (1.6 s on the rig).
    private static let ownAttempt: Seconds = 3
    /// Seconds between two cars of one round, in which somebody may come in: an adapter that pages hears badly.
    private static let gap: Seconds = 1
    /// Seconds from one call to the next when everything begins anew.
    static let pace: Seconds = 5

    mutating func call(_ turn: inout Turn) {
        guard let view, attempt == nil, link == nil, window == nil, !isHeld, caller.isDue(at: turn.now) else { return }
        if round.isEmpty { round = order }
        while !round.isEmpty {
            guard let device = view.callable(round.removeFirst()) else { continue }
            lastCall = turn.now
            return begin(.connect, device.id, &turn)
        }
        // The rest of the round has become out of question: the others' turn comes after the usual wait.
        if !callable.isEmpty { caller.failed(at: turn.now, chance: turn.chance) }
    }

    /// A call has its answer. One that says yes while no link shows counts as a failure too: the pace is the same.
    mutating func called(_ ended: Attempt, _ outcome: CallOutcome, _ turn: inout Turn) {
        let name = name(ended.device)
        switch outcome {
        case .done, .underway: answer(ended.request, .connected(name: name), &turn)
        case .failed(let failure):
            if failure == .refused { turn.effects.append(.tell(.refused(name: name))) }
            answer(ended.request, .failed(.call(failure)), &turn)
        }
        if round.isEmpty {
            caller.failed(at: turn.now, chance: turn.chance)
        } else {
            caller.hold(until: turn.now.advanced(by: Self.gap))
        }
    }

    /// Keeps `link` in step with the view.
    mutating func followLink(_ turn: inout Turn) {
        guard let view else { return }
        if let link, view.device(link.device)?.isLinked != true {
            guard !isReconnecting(link) else { return }
            lost(&turn)
        }
        let best = bestLinked(view)
        guard let best, best.id != link?.device else { return }
        linked(best, &turn)
    }

    /// In the middle of our own down and up it is the same link still.
    private func isReconnecting(_ link: Link) -> Bool {
        guard let attempt, !attempt.isWished, attempt.device == link.device, view?.device(link.device)?.isKnown == true
        else { return false }
        return attempt.step == .connect || attempt.then != nil
    }

    /// Somebody can be called who could not before: not after the wait that was for the others. Still at a pace, for an adapter
    /// that comes and goes.
    mutating func callAnew() {
        caller.reset()
        round = []
        if let lastCall { caller.hold(until: lastCall.advanced(by: Self.pace)) }
    }

    private func bestLinked(_ view: LinkView) -> LinkView.Device? {
        let linked = view.devices.filter(\.isLinked)
        if let heard = linked.filter({ $0.id.address == sink }).min(by: { $0.id < $1.id }) { return heard }
        if let link, let same = linked.first(where: { $0.id == link.device }) { return same }
        let rank = order
        return linked.min { a, b in
            (rank.firstIndex(of: a.id.address) ?? .max, a.id) < (rank.firstIndex(of: b.id.address) ?? .max, b.id)
        }
    }

    private mutating func lost(_ turn: inout Turn) {
        link = nil
        round = []
        caller.reset()
        caller.hold(until: turn.now.advanced(by: Self.ownAttempt))
    }

    private mutating func linked(_ device: LinkView.Device, _ turn: inout Turn) {
        link = Link(device.id, at: turn.now)
        caller.reset()
        round = []
        // A car that comes in ends the owner's "not now", and a call by rule to another one: it has the way.
        isHeld = false
        if let attempt, attempt.step == .connect, !attempt.isWished, attempt.device != device.id,
            view?.device(attempt.device)?.isConnected != true
        {
            breakOff(.failed(.gaveWay), &turn)
        }
        if !device.isTrusted { turn.effects.append(.trust(device.id)) }
        used(device.id.address, &turn)
    }

    mutating func used(_ address: CarAddress, _ turn: inout Turn) {
        guard recency.first != address else { return }
        recency = [address] + recency.filter { $0 != address }
        turn.effects.append(.remember(recency))
    }
}
