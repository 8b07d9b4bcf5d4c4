import Library

/// What `Metadata` says: when it differs from what was sent, and only then, it is sent again.
struct Track: Hashable {
    /// Two episodes of one text are two tracks.
    var episode: EpisodeID?
    var text: DashText
    /// The place in the queue; what plays is its head.
    var number: Int32
    /// Microseconds; 0 says "unknown" after a length was known (AV-42); nil leaves it out.
    var length: Int64?

    /// BlueZ keeps milliseconds in 32 bits.
    static let longest: Seconds = 4_294_967

    /// The length in microseconds; nil for one that is unknown or absurd.
    static func microseconds(_ duration: Seconds?) -> Int64? {
        guard let duration, duration.isFinite, duration > 0, duration < longest else { return nil }
        return Int64((duration * 1e6).rounded())
    }
}

/// A position as D-Bus has it: microseconds, never negative, never more than BlueZ can hold.
func microseconds(_ position: Seconds) -> Int64 {
    Int64((min(max(position.isFinite ? position : 0, 0), Track.longest) * 1e6).rounded())
}
