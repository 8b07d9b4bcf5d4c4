import Library

/// A seek the engine is at: at most one at a time, later wishes only move the next target.
struct Seeking: Hashable, Sendable {
    /// How long `reached` is waited for before the next seek is sent, or the engine asked where it is.
    static let patience: Seconds = 3
    /// A seek that takes longer is shown as buffering (AV-06).
    static let unnoticed: Seconds = 0.5

    var sent: Seconds
    var since: Instant
    var next: Seconds?
    /// The place heard before the first of them.
    let from: Seconds

    var target: Seconds { next ?? sent }
}
