import EventLoop
import Library
import Playback

/// The one way into the player: every wish and fact, from wherever, goes through `send`, one at a time and in order.
///
/// Effects run only after the state is settled. What they cause at once (an engine that answers synchronously) waits in the
/// inbox until the effects before it are done, so no effect ever sees a half-changed state.
@Core
final class PlayerLoop {
    private(set) var state: PlayerState
    /// Set once by the composition, before the first `send`.
    var onEffect: (@Core (Effect, Instant) -> Void)?
    /// After each input, when all its effects have run.
    var onSettled: (@Core () -> Void)?

    private let clock: @Core () -> Instant
    private var inbox: [Input] = []
    private var isBusy = false

    init(settings: PlayerSettings, clock: @escaping @Core () -> Instant) {
        state = PlayerState(settings: settings)
        self.clock = clock
    }

    func send(_ input: Input) {
        inbox.append(input)
        guard !isBusy else { return }
        isBusy = true
        defer { isBusy = false }
        while !inbox.isEmpty { take(inbox.removeFirst()) }
        onSettled?()
    }

    func send(_ command: Command, from origin: Origin) { send(.command(command, from: origin)) }

    func send(_ event: Event) { send(.event(event)) }

    var nowPlaying: NowPlaying { state.nowPlaying(at: clock()) }

    private func take(_ input: Input) {
        let now = clock()
        for effect in state.reduce(input, at: now) { onEffect?(effect, now) }
    }
}
