import Library

/// The connected car that is looked after, from the link coming up to its end.
struct Link: Hashable, Sendable {
    let device: DeviceID
    /// Attempts to bring up the sound; not due before the car had its time.
    var music = Retry(from: Link.settling, to: 300)
    /// Attempts to bring up AVRCP; nil while nothing is missing.
    var control: Retry?
    /// Taken down and up again once for the sake of the sound; never more than once.
    var hasReconnected = false
    var hasToldSilence = false
    /// It had its sink, so a lack of it is a loss.
    var hadSink = false

    /// Seconds a car has for its sound before it is helped (AV-36).
    static let settling: Seconds = 10
    /// Seconds between sound and AVRCP that are no sign of anything.
    static let controlGrace: Seconds = 3

    init(_ device: DeviceID, at now: Instant) {
        self.device = device
        music.hold(until: now.advanced(by: Link.settling))
    }

    /// Its time begins anew.
    mutating func settle(at now: Instant) {
        music.reset()
        music.hold(until: now.advanced(by: Link.settling))
    }
}
