import EventLoop
import Library
import Linux

/// Looks after an attempt that is under way to a place, twice a second, until it is told to end.
@Core
final class Watch {
    static let rhythm: Seconds = 0.5
    private var timer: CoreTimer!
    private(set) var since: Instant
    /// How many answers the reader had given when it was last seen to get on.
    private var answers = 0

    init(at now: Instant, _ look: @escaping @Core () -> Void) {
        since = now
        timer = CoreTimer(look)
    }

    func begin(at now: Instant) {
        since = now
        next(at: now)
    }

    func next(at now: Instant) { timer.set(at: now.advanced(by: Self.rhythm).nanoseconds) }

    func end() { timer.set(at: nil) }

    /// Time in which neither bytes were waited for nor any came: what does not get on then is mpv's sound output.
    func idle(_ reading: EpisodeStream.Reading, at now: Instant) -> Seconds {
        if reading.isWaiting || reading.answers != answers { since = now }
        answers = reading.answers
        return now.seconds(since: since)
    }
}
