import Library

/// What a server's numbers are believed to mean.
enum Plausible {
    /// The longest episode believed in, seconds (100 hours): a length in bytes or milliseconds is more.
    static let longest: Seconds = 360_000

    /// Nil for a duration that can't be one.
    static func duration(_ seconds: Seconds?) -> Seconds? {
        guard let seconds, seconds > 0, seconds <= longest else { return nil }
        return seconds
    }

    /// A position inside 0…duration; clamped at the end, unknown when negative or absurd.
    static func position(_ seconds: Seconds?, duration: Seconds?) -> Seconds? {
        guard let seconds, seconds >= 0, seconds <= longest else { return nil }
        return min(seconds, duration ?? seconds)
    }

    /// 0.5…3, what the player can do.
    static func rate(_ rate: Double?) -> Double? { rate.flatMap { (0.5...3).contains($0) ? $0 : nil } }

    /// A step of skip buttons: 1 s…10 min.
    static func skip(_ seconds: Seconds?) -> Seconds? { seconds.flatMap { (1...600).contains($0) ? $0 : nil } }
}
