import EventLoop
import Library
import Playback
import RemoteProtocol

/// Everyone who is shown what plays: the car's dash, MPRIS, the control interface. They are told one value at one moment,
/// so they can't disagree.
@Core
final class Displays {
    private var all: [any NowPlayingDisplay] = []
    /// How long a message for the driver stands in the picture, seconds.
    private static let messageTime: Seconds = 8

    /// The picture's message changed; nil takes it away.
    var onMessage: (@Core (String?) -> Void)?
    private lazy var fade = Alarm { [weak self] in self?.onMessage?(nil) }

    func add(_ display: any NowPlayingDisplay) { all.append(display) }

    func show(_ now: NowPlaying, jumped: Bool) {
        for display in all { display.show(now, jumped: jumped) }
    }

    func tell(_ message: DriverMessage) {
        onMessage?(message.sentence)
        fade.ring(after: Self.messageTime)
    }
}

extension DriverMessage {
    /// One line a driver takes in at a glance.
    var sentence: String {
        switch self {
        case .cannotPlay: "Cannot play this episode"
        case .outOfBytes(.signIn): "Sign in needed to go on"
        case .outOfBytes(.waitingForTime): "Waiting for the time of day"
        case .outOfBytes: "No network to go on"
        case .signIn: "Sign in needed"
        case .noOutput: "No car to play to"
        case .waitingForTime: "Waiting for the time of day"
        }
    }
}
