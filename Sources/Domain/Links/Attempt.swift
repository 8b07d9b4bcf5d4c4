import Library

/// The one call that is under way.
struct Attempt: Hashable, Sendable {
    var number: Int
    var device: DeviceID
    var step: Step
    /// Without an answer by then it counts as failed.
    var deadline: Instant
    /// Who waits for what comes of it.
    var request: Int?
    /// What follows when it is done: the second half of a reconnect, or the car wished instead of the present one.
    var then: DeviceID?
    /// By the owner, not by rule.
    var isWished = false

    /// Seconds; BlueZ pages for 5 s, connects profiles and resolves services, and is slow on small boxes.
    static let patience: Seconds = 45
}
