import EventLoop
import Library
import MPV
import Playback

/// `PlaybackEngine` on libmpv: one player for the life of the service, opened in the background.
///
/// mpv's answers are matched to loads by order: its thread answers a `loadfile` and announces files in one sequence, so a file
/// that starts belongs to the last `loadfile` answered before it.
@Core
public final class Engine: PlaybackEngine {
    public var onEvent: (@Core (Generation, EngineEvent) -> Void)?
    private let media: any MediaSource
    private let clock: @Core () -> Instant
    let log: @Core (String) -> Void
    private let output: String
    private let shelf = ReaderShelf()
    private var player: MPVPlayer?
    private var sink: String?
    var attempt: Attempt?
    private var attempts: UInt64 = 0
    /// The last `loadfile` that mpv took.
    var accepted: UInt64 = 0
    private var startedAt: Instant?

    public convenience init(
        media: any MediaSource, clock: @escaping @Core () -> Instant, log: @escaping @Core (String) -> Void
    ) {
        self.init(media: media, clock: clock, log: log, output: "pulse")
    }

    /// `output`: the audio driver; another than PulseAudio is for tests.
    init(
        media: any MediaSource, clock: @escaping @Core () -> Instant, log: @escaping @Core (String) -> Void, output: String
    ) {
        self.media = media
        self.clock = clock
        self.log = log
        self.output = output
    }

    /// Opens libmpv in the background; what is loaded meanwhile plays as soon as it is there. Call once, after the bus.
    public func prepare() {
        MPVLibrary.load { result in
            Core.run { [weak self] in self?.opened(result) }
        }
    }

    private func opened(_ result: Result<MPVLibrary, MPVError>) {
        do {
            let shelf = shelf
            let player = try MPVPlayer(
                try result.get(), options: EngineOptions.list(output: output), scheme: EngineOptions.scheme,
                open: { shelf.open($0) })
            player.onEvent = { [weak self] in self?.heard($0) }
            try player.requestLog("warn")
            try player.observeFlag("paused-for-cache", request: Request.stall)
            self.player = player
            if let attempt { start(attempt) }
        } catch {
            log("libmpv does not start: \(error)")
            fail(.device)
        }
    }

    public func load(_ load: Load) { begin(load, isRetry: false) }

    private func begin(_ load: Load, isRetry: Bool) {
        attempt?.reader.cancel()
        attempts += 1
        let next = Attempt(
            number: attempts, load: load, reader: media.open(load), isRetry: isRetry, now: clock())
        attempt = next
        shelf.put(next.reader, for: next.number)
        start(next)
    }

    /// Options go first, as properties: `loadfile`'s own option argument moved between versions of mpv (PB-15).
    private func start(_ attempt: Attempt) {
        ask { player throws(MPVError) in
            if output == "pulse" { try player.set("audio-device", sink.map { "pulse/\($0)" } ?? "pulse/ipx-car-no-sink") }
            try player.set("start", attempt.load.start > 0 ? "\(attempt.load.start)" : "none")
            try player.set("pause", attempt.isPaused)
            try player.set("speed", attempt.rate)
            try player.command(
                ["loadfile", ReaderShelf.url(attempt.number), "replace"], request: Request.load + attempt.number)
        }
    }

    public func unload() {
        attempt?.reader.cancel()
        attempt = nil
        shelf.clear()
        ask { player throws(MPVError) in try player.command(["stop"]) }
    }

    public func setPaused(_ paused: Bool) {
        let now = clock()
        if let place = attempt?.place(at: now) { attempt?.saw(place, at: now) }
        attempt?.isPaused = paused
        ask { player throws(MPVError) in try player.set("pause", paused) }
    }

    public func seek(to position: Seconds) {
        guard attempt != nil else { return }
        attempt?.target = position
        ask { player throws(MPVError) in
            try player.command(["seek", "\(position)", "absolute+exact"], request: Request.seek)
        }
    }

    public func setRate(_ rate: Double) {
        let now = clock()
        if let place = attempt?.place(at: now) { attempt?.saw(place, at: now) }
        attempt?.rate = rate
        ask { player throws(MPVError) in try player.set("speed", rate) }
    }

    public func askPosition() { askPlace(.told) }

    public func setOutput(sink: String?) { self.sink = sink }

    /// Asks mpv where the sound is that leaves the sound server now.
    func askPlace(_ purpose: Request.Purpose) {
        guard let attempt else { return }
        ask { player throws(MPVError) in
            try player.askDouble("audio-pts", request: Request.place(purpose, attempt.number))
        }
    }

    func askDuration() {
        guard let attempt else { return }
        ask { player throws(MPVError) in
            try player.askDouble("duration", request: Request.place(.duration, attempt.number))
        }
    }

    /// Before mpv is there nothing is asked: `opened` starts from the attempt as it then is.
    private func ask(_ body: (MPVPlayer) throws(MPVError) -> Void) {
        guard let player else { return }
        do { try body(player) } catch { log("mpv refused: \(error)") }
    }

    func tell(_ event: EngineEvent) {
        guard let attempt else { return }
        onEvent?(attempt.load.generation, event)
    }

    func fail(_ failure: Failure) {
        guard let attempt else { return }
        unload()
        onEvent?(attempt.load.generation, .failed(failure))
    }

    var now: Instant { clock() }

    /// Once more from where it stood.
    func retry(from place: Seconds) {
        guard let attempt else { return }
        var load = attempt.load
        load.start = place
        load.isPaused = attempt.isPaused
        load.rate = attempt.rate
        begin(load, isRetry: true)
    }
}
