import DBus
import EventLoop
import Library
import Linux
import Playback

/// The car's side of the service: what its display shows, what its buttons wish, and which car it is.
///
/// Works on any connection to the bus, with or without a bluetoothd, an adapter or a car. Nothing is called before
/// `org.bluez` is owned, and nothing starts it. Playback is never touched from here.
@Core
public final class BlueZ: NowPlayingDisplay {
    /// A press of the car's buttons over AVRCP.
    public var onCommand: (@Core (Command) -> Void)? {
        get { player.onCommand }
        set { player.onCommand = newValue }
    }

    /// The connected car, at every change.
    public var onCarChange: (@Core (ConnectedCar?) -> Void)?
    public private(set) var car: ConnectedCar?

    /// How the present car wants its text.
    public var settings: DashSettings {
        get { player.settings }
        set { player.settings = newValue }
    }

    /// True while some adapter has our player: the car's presses arrive.
    public var isRegistered: Bool { registrations.values.contains(where: \.isDone) }

    private let player: DashPlayer
    private let clock: @Core () -> Instant
    private let log: @Core (String) -> Void
    private var watch: BlueZWatch?
    private var registrations: [ObjectPath: Registration] = [:]

    /// `clock` is CLOCK_MONOTONIC. `log` gets a line for what a driver would notice.
    public init(clock: @escaping @Core () -> Instant, log: @escaping @Core (String) -> Void) {
        self.clock = clock
        self.log = log
        player = DashPlayer(clock: clock)
    }

    /// Works on this connection from now on. A former one is left first.
    public func attach(to connection: Connection) {
        detach()
        player.attach(to: connection)
        watch = BlueZWatch(on: connection, clock: clock) { [weak self] in self?.take($0, on: connection) }
    }

    /// The connection is lost or given up: no car, no registration.
    public func detach() {
        watch = nil
        leaveBlueZ()
        player.detach()
    }

    public func show(_ now: NowPlaying, jumped: Bool) { player.show(now, jumped: jumped) }

    /// A message for the driver, as title for this long.
    public func notify(_ text: String, for seconds: Seconds = 5) { player.notify(text, for: seconds) }

    private func take(_ news: BlueZWatch.News, on connection: Connection) {
        switch news {
        case .gone:
            log("bluetoothd is gone; waiting for it")
            leaveBlueZ()
        case .objects(let objects, let owner):
            follow(objects.adapters, of: owner, on: connection)
            follow(objects.cars)
        case .refused(let error):
            log(
                error.isDenied
                    ? "the bus' policy does not let us talk to BlueZ: \(error)" : "BlueZ does not answer: \(error)")
        }
    }

    private func leaveBlueZ() {
        registrations = [:]
        player.nobodyLooks()
        follow([])
    }

    private func follow(_ adapters: Set<ObjectPath>, of owner: String, on connection: Connection) {
        for path in registrations.keys where !adapters.contains(path) { registrations[path] = nil }
        if registrations.isEmpty { player.nobodyLooks() }
        for path in adapters.sorted() where registrations[path] == nil {
            let registration = Registration(
                on: connection, clock: clock,
                call: { [player] in
                    MethodCall(
                        owner, path, BlueZObjects.media, "RegisterPlayer",
                        [.objectPath(DashPlayer.path), .properties(player.registrationState())])
                },
                outcome: { [weak self] in self?.tell($0, path) })
            registrations[path] = registration
            registration.attempt()
        }
    }

    private func tell(_ outcome: Registration.Outcome, _ adapter: ObjectPath) {
        switch outcome {
        case .registered: log("player registered with \(adapter)")
        case .alreadyThere: player.tellAll()
        case .refused(let error, isFirst: true) where error.isDenied:
            log("the bus' policy does not let us register with BlueZ: \(error)")
        case .refused(let error, isFirst: true): log("BlueZ refused the player on \(adapter): \(error)")
        case .refused: break
        }
    }

    /// The car that was there stays the car while it is there.
    private func follow(_ cars: [ConnectedCar]) {
        let new = cars.first { $0.address == car?.address } ?? cars.first
        guard new != car else { return }
        if new?.address != car?.address { log(new.map { "car connected: \($0.name)" } ?? "car left") }
        car = new
        onCarChange?(new)
    }
}
