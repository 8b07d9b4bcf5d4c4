import EventLoop
import Library
import Linux
import Playback

/// Does what the player decided: one case, one call.
@Core
final class EffectRunner {
    private let engine: any PlaybackEngine
    private let notebook: Notebook
    private let displays: Displays
    private let alarm: CoreTimer

    /// `whenDue` is called at the moment the player asked to be woken.
    init(engine: any PlaybackEngine, notebook: Notebook, displays: Displays, whenDue: @escaping @Core () -> Void) {
        self.engine = engine
        self.notebook = notebook
        self.displays = displays
        alarm = CoreTimer(whenDue)
    }

    func run(_ effect: Effect, now: NowPlaying, wantsToPlay: Bool) {
        switch effect {
        case .load(let load): engine.load(load)
        case .unload: engine.unload()
        case .setPaused(let paused, _): engine.setPaused(paused)
        case .seek(let place, _): engine.seek(to: place)
        case .setRate(let rate): engine.setRate(rate)
        case .askPosition: engine.askPosition()
        case .store(let heard): notebook.note(heard, wasPlaying: wantsToPlay)
        case .markRead(let episode): notebook.noteRead(episode)
        case .show(let jumped): displays.show(now, jumped: jumped)
        case .tell(let message): displays.tell(message)
        case .wake(let moment): alarm.set(at: moment?.nanoseconds)
        case .currentChanged(let episode): notebook.noteCurrent(episode, wasPlaying: wantsToPlay)
        }
    }
}
