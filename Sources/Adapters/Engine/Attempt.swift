import Library
import Playback

/// One try to play one load. A decoder fault is answered by a second one from where it stood; the number tells mpv's answers
/// to the two apart.
struct Attempt {
    let number: UInt64
    let load: Load
    let reader: any EpisodeReader
    let isRetry: Bool
    /// mpv's number for the file, once it began to load.
    var entry: Int64?
    /// Where the next `playbackRestart` will have arrived.
    var target: Seconds
    var duration: Seconds?
    var isOpen = false
    var isPaused: Bool
    var rate: Double
    /// Where it last was, for the retry and to believe an end.
    var place: Seconds
    var seenAt: Instant

    init(number: UInt64, load: Load, reader: any EpisodeReader, isRetry: Bool, now: Instant) {
        self.number = number
        self.load = load
        self.reader = reader
        self.isRetry = isRetry
        target = load.start
        isPaused = load.isPaused
        rate = load.rate
        place = load.start
        seenAt = now
    }

    mutating func saw(_ place: Seconds, at now: Instant) {
        self.place = place
        seenAt = now
    }

    func place(at now: Instant) -> Seconds {
        let run = isPaused || !isOpen ? 0 : max(0, now.seconds(since: seenAt)) * rate
        return min(place + run, duration ?? .infinity)
    }

    /// Whether an end of file at `now` can be the real one: mpv also says so when its sound output or a decoder gave up with
    /// every byte already read. A tenth of tolerance, for files whose header only guesses the duration.
    func couldHaveEnded(at now: Instant) -> Bool {
        guard reader.failure == nil, reader.hasReadToEnd else { return false }
        guard let duration else { return true }
        return place(at: now) >= duration - max(5, duration / 10)
    }
}
