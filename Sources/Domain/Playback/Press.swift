import Library

/// A press that does something else each time it counts, so its echo must not (AV-25).
struct Press: Hashable, Sendable {
    enum Meaning: Hashable, Sendable {
        case toggle
        case skip(Seconds)
        case chapter(Direction)
        case episode(Direction)
    }

    /// One press of a wheel that arrives by two ways.
    static let twoSources: Seconds = 0.3
    /// One press that a single source delivers twice; only a toggle is undone by that, skips add.
    static let oneSource: Seconds = 0.05

    var meaning: Meaning
    var origin: Origin
    var at: Instant

    /// Whether `later` is only the echo of this press.
    func isEchoed(by later: Press) -> Bool {
        guard meaning == later.meaning else { return false }
        let distance = later.at.seconds(since: at)
        if origin != later.origin { return distance <= Self.twoSources }
        return meaning == .toggle && distance <= Self.oneSource
    }
}

extension PlayerState {
    /// True for a press that counts; echoes of a counted one don't.
    mutating func counts(_ meaning: Press.Meaning, from origin: Origin) -> Bool {
        let press = Press(meaning: meaning, origin: origin, at: now)
        presses.removeAll { now.seconds(since: $0.at) > Press.twoSources }
        guard !presses.contains(where: { $0.isEchoed(by: press) }) else { return false }
        presses.append(press)
        return true
    }
}
