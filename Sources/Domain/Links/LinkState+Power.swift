import Library

/// The wish to have an adapter on.
struct PowerRetry: Hashable, Sendable {
    var retry = Retry(from: 1, to: 60)
    /// Seen on since then; nil while it is off.
    var onSince: Instant?
}

extension LinkState {
    /// Seconds an adapter must stay on before an end of it is a new matter; one that is switched off again and again is followed slowly.
    private static let holds: Seconds = 30

    mutating func switchOn(_ turn: inout Turn) {
        guard let view else { return }
        let present = Set(view.adapters.map(\.id))
        for id in power.keys where !present.contains(id) { power[id] = nil }
        for adapter in view.adapters.sorted(by: { $0.id < $1.id }) {
            if adapter.isPowered { noteOn(adapter.id, &turn) } else { askOn(adapter.id, &turn) }
        }
    }

    private mutating func noteOn(_ id: String, _ turn: inout Turn) {
        guard var known = power[id] else { return }
        let since = known.onSince ?? turn.now
        known.onSince = since
        power[id] = turn.now.seconds(since: since) >= Self.holds ? nil : known
    }

    private mutating func askOn(_ id: String, _ turn: inout Turn) {
        var known = power[id] ?? PowerRetry()
        if let since = known.onSince, turn.now.seconds(since: since) >= Self.holds { known = PowerRetry() }
        known.onSince = nil
        if known.retry.isDue(at: turn.now) {
            known.retry.failed(at: turn.now, chance: turn.chance)
            turn.effects.append(.power(adapter: id))
        }
        power[id] = known
    }
}
