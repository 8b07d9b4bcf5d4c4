/// Which unsent entry goes next, and when. One push is under way at a time, so answers can't overtake each other.
public struct PushRhythm: Hashable, Sendable {
    /// While an episode plays undisturbed, seconds between two pushes of it.
    public static let interval: Seconds = 10

    public enum Next: Hashable, Sendable {
        case push(Held)
        /// Ask again at this moment, or when something is stored.
        case wait(until: Instant)
        case nothing
    }

    public var backoff = Backoff()
    private var lastPush: [EpisodeID: Instant] = [:]

    public init() {}

    /// `unsent` as the outbox lists it; the episode that plays is held to its rhythm unless its change is urgent.
    public func next(_ unsent: [Held], playing: EpisodeID?, at now: Instant) -> Next {
        let waiting = unsent.filter { $0.nextPush != nil }
        guard !waiting.isEmpty else { return .nothing }
        if let opening = backoff.notBefore, opening > now { return .wait(until: opening) }
        let moments = waiting.map { (held: $0, due: due($0, playing)) }
        // What is urgent goes first: the driver may cut the power next.
        if let ready = moments.first(where: { $0.held.isUrgent && $0.due ?? now <= now }) { return .push(ready.held) }
        if let ready = moments.first(where: { $0.due ?? now <= now }) { return .push(ready.held) }
        return moments.compactMap(\.due).min().map { .wait(until: $0) } ?? .nothing
    }

    private func due(_ held: Held, _ playing: EpisodeID?) -> Instant? {
        guard held.record.episode == playing, !held.isUrgent else { return nil }
        return lastPush[held.record.episode]?.advanced(by: Self.interval)
    }

    public mutating func began(_ episode: EpisodeID, at now: Instant) {
        lastPush = lastPush.filter { now.seconds(since: $0.value) < Self.interval }
        lastPush[episode] = now
    }
}
