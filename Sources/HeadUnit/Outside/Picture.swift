import EventLoop
import Library
import Playback
import RemoteProtocol

/// The one picture that `status`, MPRIS-aside everyone, and later the phones are given; numbered, and pushed when it says
/// something new.
@Core
final class Picture {
    private var sequence: RemoteStateSequence
    private let nowPlaying: @Core () -> NowPlaying
    private let queue: @Core () -> [Queued]
    /// What is true besides what plays; change it through `around`.
    private(set) var surroundings = RemoteSurroundings()
    /// A new numbered state, as JSON.
    var onChange: (@Core (String) -> Void)?

    init(boot: String, nowPlaying: @escaping @Core () -> NowPlaying, queue: @escaping @Core () -> [Queued]) {
        sequence = RemoteStateSequence(boot: boot)
        self.nowPlaying = nowPlaying
        self.queue = queue
    }

    func around(_ change: (inout RemoteSurroundings) -> Void) {
        change(&surroundings)
        refresh()
    }

    /// Looks at everything again and pushes what changed.
    func refresh() {
        surroundings.queue = queue()
        guard let state = sequence.next(now: monotonicNow(), playing: nowPlaying(), around: surroundings) else { return }
        onChange?(RemoteJSON.text(state))
    }

    /// The present state, with the position and clock of this moment.
    var state: RemoteState {
        refresh()
        let playing = nowPlaying()
        return RemoteState(
            boot: sequence.boot, seq: sequence.last?.seq ?? 0, now: monotonicNow(), playing: playing, around: surroundings)
    }
}
