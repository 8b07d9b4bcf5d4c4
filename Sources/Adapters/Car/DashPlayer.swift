import DBus
import EventLoop
import Library
import Linux
import Playback

/// The one player object that BlueZ knows: it tells the car what plays and takes its presses.
@Core
final class DashPlayer {
    static let path: ObjectPath = "/net/sdf1/ipxcar/player"
    static let interface = "org.mpris.MediaPlayer2.Player"
    nonisolated static let identity = "ipx-car"
    nonisolated static let flags = ["CanControl", "CanPlay", "CanPause", "CanGoNext", "CanGoPrevious"]

    var onCommand: (@Core (Command) -> Void)?

    private var dash: Dash
    private let clock: @Core () -> Instant
    private weak var connection: Connection?
    private lazy var timer = CoreTimer { [weak self] in self?.refresh() }

    init(clock: @escaping @Core () -> Instant) {
        self.clock = clock
        dash = Dash(NowPlaying(phase: .idle, at: clock()))
    }

    var settings: DashSettings {
        get { dash.settings }
        set {
            dash.settings = newValue
            refresh()
        }
    }

    func attach(to connection: Connection) {
        self.connection = connection
        connection.export([object], at: Self.path)
    }

    func detach() {
        connection?.unexport(Self.path)
        connection = nil
        nobodyLooks()
    }

    /// The complete current state, with which a registration begins.
    func registrationState() -> [(String, Value)] {
        defer { wakeWhenDue() }
        return dash.state(at: clock()).properties
    }

    /// Everything once more, for a BlueZ that may have missed something.
    func tellAll() {
        let state = dash.state(at: clock())
        send([.track(state.track), .status(state.status), .position(state.position)])
    }

    /// No registration is left: nothing is sent, and nothing is woken for.
    func nobodyLooks() {
        dash.forget()
        wakeWhenDue()
    }

    func show(_ now: NowPlaying, jumped: Bool) { send(dash.take(now, jumped: jumped, at: clock())) }

    func notify(_ text: String, for seconds: Seconds) {
        let now = clock()
        send(dash.notify(text, until: now.advanced(by: seconds), at: now))
    }

    private func refresh() { send(dash.tick(at: clock())) }

    /// Metadata and status in one change, in this order, then the position (PB-23).
    private func send(_ changes: [Dash.Change]) {
        defer { wakeWhenDue() }
        let properties = changes.compactMap(\.property)
        // A bus that is being lost is noticed by whoever owns the connection.
        if !properties.isEmpty { try? connection?.emitPropertiesChanged(Self.path, Self.interface, properties) }
        for case .position(let position) in changes {
            try? connection?.emit(BusSignal(Self.path, Self.interface, "Seeked", [.int64(microseconds(position))]))
        }
    }

    private func wakeWhenDue() { timer.set(at: dash.wake(after: clock())?.nanoseconds) }

    private var object: Interface {
        Interface(
            Self.interface, methods: methods, properties: properties,
            signals: [SignalDescription("Seeked", [Argument("Position", .int64)])])
    }

    private var methods: [Method] {
        let presses: [(String, Command)] = [
            ("Play", .play), ("Pause", .pause), ("PlayPause", .toggle), ("Stop", .stop), ("Next", .next),
            ("Previous", .previous),
        ]
        // BlueZ says so when it forgets the player; who registers notices by the adapter or its owner.
        let release = Method("Release") { _ in [] }
        return presses.map { name, command in
            Method(name) { [weak self] _ in
                self?.onCommand?(command)
                return []
            }
        } + [release]
    }

    private var properties: [Property] {
        let state: @Core () -> Dash.State? = { [weak self] in self.map { $0.dash.peek(at: $0.clock()) } }
        return Self.flags.map { Property($0, .boolean, get: { .boolean(true) }) } + [
            Property("PlaybackStatus", .string, get: { .string((state()?.status ?? .stopped).rawValue) }),
            Property("Metadata", .properties, get: { state()?.track.metadata ?? .properties([]) }),
            Property("Position", .int64, change: .never, get: { .int64(microseconds(state()?.position ?? 0)) }),
        ]
    }
}

extension Dash.Change {
    fileprivate var property: (String, Value)? {
        switch self {
        case .track(let track): ("Metadata", track.metadata)
        case .status(let status): ("PlaybackStatus", .string(status.rawValue))
        case .position: nil
        }
    }
}
