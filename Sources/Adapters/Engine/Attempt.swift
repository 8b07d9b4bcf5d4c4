import Library
import Playback

/// One try to play one load. A fault is answered by another one from where it stood; the number tells mpv's answers to the two
/// apart.
struct Attempt {
    let number: Int
    let load: Load
    let stream: EpisodeStream
    /// Where the first sample is to come from: the load's start, or where the former attempt got to.
    var start: Seconds
    /// The sink, as it was when the load was wished.
    let sink: String?
    /// mpv's number for the file, once it took it.
    var entry: Int64?
    /// mpv began with it: what is set now is set for this file.
    var isStarted = false
    var isOpen = false
    /// Where it is under way to; nil: it got there and plays or stands.
    var target: Seconds?
    /// The start was moved when mpv may have looked at it already.
    var hasMovedStart = false
    /// Seek commands that mpv has not answered yet.
    var seeks = 0
    /// mpv said that it goes on, since the last of them.
    var hasRestarted = false
    var duration: Seconds?
    var isPaused: Bool
    var rate: Double
    /// mpv waits for bytes.
    var isDry = false
    /// `stalled` was told and `flowing` not yet.
    var isStalled = false
    /// The place a former attempt broke at.
    var brokeAt: Seconds?
    private var place: Seconds
    private var seenAt: Instant

    init(_ number: Int, _ load: Load, _ stream: EpisodeStream, from start: Seconds, sink: String?, now: Instant) {
        self.number = number
        self.load = load
        self.stream = stream
        self.start = start
        self.sink = sink
        target = start
        isPaused = load.isPaused
        rate = load.rate
        place = start
        seenAt = now
    }

    /// Where it is, as far as that can be told without asking mpv.
    func place(at now: Instant) -> Seconds {
        if let target { return target }
        let runs = !isPaused && !isStalled && !isDry
        let place = place + (runs ? max(0, now.seconds(since: seenAt)) * rate : 0)
        return min(place, max(self.place, duration ?? .infinity))
    }

    mutating func saw(_ place: Seconds, at now: Instant) {
        self.place = place
        seenAt = now
    }

    /// To be called before anything changes that the running place hangs on.
    mutating func anchor(at now: Instant) { saw(place(at: now), at: now) }

    /// mpv calls a cut, a fault and the end by one name; only the bytes and the place tell them apart (PB-01).
    func hasReallyEnded(at now: Instant) -> Bool {
        let left = duration.map { $0 - place(at: now) } ?? .infinity
        if stream.reader.failure != nil { return left < 1 }
        return stream.reading.isAtEnd || left < 3
    }

    /// Once from each place: what breaks again where it broke before is not playable.
    func mayTryAgain(at now: Instant) -> Bool { brokeAt.map { place(at: now) > $0 + 10 } ?? true }
}
