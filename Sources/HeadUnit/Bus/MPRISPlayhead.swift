import Car
import Library
import Playback

/// What MPRIS clients reckon the position to be: from the last `Seeked` or the start of the track, on with `Rate` while Playing.
struct MPRISPlayhead: Hashable {
    private var position: Seconds
    private var at: Instant
    private var speed: Double

    /// A new track starts at 0.
    init(at moment: Instant) {
        position = 0
        at = moment
        speed = 0
    }

    func position(at moment: Instant) -> Seconds { position + max(0, moment.seconds(since: at)) * speed }

    /// Status or rate changed: it goes on from here.
    mutating func run(_ status: PlaybackStatus, rate: Double, at moment: Instant) {
        position = position(at: moment)
        at = moment
        speed = status == .playing ? rate : 0
    }

    mutating func seek(to position: Seconds, at moment: Instant) {
        self.position = position
        at = moment
    }
}
