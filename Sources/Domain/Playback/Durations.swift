import Library

/// Which duration is believed (POS-18, AV-10): the file's own wins, the server's only helps out while it makes sense.
enum Durations {
    /// A server's value outside of this is a count of bytes or a left-out field.
    static let believable: ClosedRange<Seconds> = 10...(48 * 3600)

    /// What the file told; nil if that is none.
    static func ofFile(_ told: Seconds?) -> Seconds? {
        guard let told, told > 0, told <= Seconds.longest else { return nil }
        return told
    }

    static func ofServer(_ listed: Seconds?, heardUpTo place: Seconds) -> Seconds? {
        guard let listed, believable.contains(listed), place <= listed else { return nil }
        return listed
    }

    /// The last place a seek or a start may go to: a seek alone never ends an episode, something is heard first.
    static func lastPlace(in duration: Seconds?) -> Seconds {
        duration.map { max(0, $0 - 1) } ?? .infinity
    }
}

extension PlayerState {
    /// The server's duration was wrong if it plays on behind it.
    mutating func doubtListedDuration() {
        guard let limit = phase.loaded?.listedLimit, let place = phase.position(at: now) else { return }
        if place >= limit - 0.001 { phase.loaded?.listed = nil }
    }
}
