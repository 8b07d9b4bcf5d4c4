import EventLoop
import Library
import Playback

/// An engine without sound: it remembers what it was told, and its playhead runs with the test's clock. Opens and reaches its
/// start by itself unless `answersAlone` is off; everything else happens when the test says so.
@Core
public final class FakeEngine: PlaybackEngine {
    public enum Call: Hashable, Sendable {
        case load(Load), unload, setPaused(Bool), seek(Seconds), setRate(Double), askPosition, setOutput(String?)
    }

    public var onEvent: (@Core (Generation, EngineEvent) -> Void)?
    public private(set) var calls: [Call] = []
    public private(set) var loaded: Load?
    public private(set) var sink: String?
    public private(set) var isPaused = false
    public private(set) var rate = 1.0
    /// The duration told by `opened`; nil: the episode's own.
    public var duration: Seconds?
    /// Off: `open()` and `reach()` are the test's to call.
    public var answersAlone = true
    private let clock: @Core () -> Instant
    private var place: Seconds = 0
    private var seenAt: Instant
    private var target: Seconds?
    private var isStalled = false
    /// Whatever was to be answered for an older one is not.
    private var turn = 0

    public init(sink: String? = nil, clock: @escaping @Core () -> Instant) {
        self.sink = sink
        self.clock = clock
        seenAt = clock()
    }

    // MARK: the port

    public func load(_ load: Load) {
        calls.append(.load(load))
        (loaded, isPaused, rate, isStalled) = (load, load.isPaused, load.rate, false)
        turn += 1
        move(to: load.start)
        guard sink != nil else { return soon { $0.fail(.device) } }
        guard answersAlone else { return }
        soon { $0.open() }
        soon { $0.reach() }
    }

    public func unload() {
        calls.append(.unload)
        forget()
    }

    public func setPaused(_ paused: Bool) {
        calls.append(.setPaused(paused))
        anchor()
        isPaused = paused
    }

    public func seek(to position: Seconds) {
        calls.append(.seek(position))
        guard loaded != nil else { return }
        move(to: position)
        if answersAlone { soon { $0.reach() } }
    }

    public func setRate(_ rate: Double) {
        calls.append(.setRate(rate))
        anchor()
        self.rate = rate
    }

    public func askPosition() {
        calls.append(.askPosition)
        guard loaded != nil else { return }
        soon { $0.tell(.position($0.position, at: $0.clock())) }
    }

    public func setOutput(sink: String?) {
        calls.append(.setOutput(sink))
        self.sink = sink
    }

    // MARK: the test's side

    /// Where it is now.
    public var position: Seconds {
        if let target { return target }
        let runs = loaded != nil && !isPaused && !isStalled
        return place + (runs ? max(0, clock().seconds(since: seenAt)) * rate : 0)
    }

    public func open() { tell(.opened(duration: duration ?? loaded?.episode.duration)) }

    public func reach() {
        guard let target else { return }
        (place, seenAt, self.target) = (target, clock(), nil)
        tell(.reached(target))
    }

    public func stall() {
        anchor()
        isStalled = true
        tell(.stalled(position))
    }

    public func flow() {
        anchor()
        isStalled = false
        tell(.flowing(position))
    }

    public func end() { finish(.ended) }
    public func fail(_ failure: Failure) { finish(.failed(failure)) }
    public func forgetCalls() { calls = [] }

    private func finish(_ event: EngineEvent) {
        guard let generation = loaded?.generation else { return }
        forget()
        onEvent?(generation, event)
    }

    private func forget() {
        loaded = nil
        target = nil
        turn += 1
    }

    private func move(to place: Seconds) {
        target = place
        self.place = place
    }

    private func anchor() { (place, seenAt) = (target ?? position, clock()) }

    private func tell(_ event: EngineEvent) {
        guard let loaded else { return }
        onEvent?(loaded.generation, event)
    }

    /// After the call that asked for it has returned, as the real one answers.
    private func soon(_ body: @escaping @Core @Sendable (FakeEngine) -> Void) {
        let turn = turn
        Core.run { [weak self] in
            if let self, self.turn == turn { body(self) }
        }
    }
}
