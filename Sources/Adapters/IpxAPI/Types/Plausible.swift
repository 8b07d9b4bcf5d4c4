import Library

/// What the numbers of a listener's settings are believed to mean; those of an entry are `Episode.sanitized`'s business.
enum Plausible {
    /// 0.5…3, what the player can do.
    static func rate(_ rate: Double?) -> Double? { rate.flatMap { (0.5...3).contains($0) ? $0 : nil } }

    /// A step of skip buttons: 1 s…10 min.
    static func skip(_ seconds: Seconds?) -> Seconds? { seconds.flatMap { (1...600).contains($0) ? $0 : nil } }
}
