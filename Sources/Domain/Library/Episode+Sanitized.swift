extension Episode {
    /// The longest an episode is believed to last, seconds. What lies above is bytes in the wrong field, or nonsense (POS-18).
    public static let longest: Seconds = 7 * 86_400

    /// Without the values nobody can mean: what can't be is unknown, a position past the end is the end. Never written back.
    public var sanitized: Episode {
        var copy = self
        copy.duration = duration.flatMap { $0.isFinite && $0 > 0 && $0 <= Self.longest ? $0 : nil }
        copy.position = position.flatMap { $0.isFinite && $0 >= 0 && $0 <= Self.longest ? $0 : nil }
        if let end = copy.duration, let place = copy.position { copy.position = min(place, end) }
        copy.chapters = chapters.filter { $0.start.isFinite && $0.start >= 0 }
        return copy
    }
}
