import DBus
import EventLoop

/// A stand-in for bluetoothd on a private bus: it behaves as the real one was seen to (car.md, rig.md), with no radio.
///
/// It lives on `Core` of the process it is in: a test's, or the demo's, which is another than the service's. All it knows of the
/// service is what comes over the bus.
@Core
public final class StandInBlueZ {
    /// One call of `RegisterPlayer`.
    public struct Registration: Sendable {
        public var sender: String
        public var adapter: String
        /// In the order they were sent.
        public var properties: [(name: String, value: Value)]
        /// Nil when it was accepted.
        public var error: String?
        /// Seconds of `MonotonicClock`.
        public var at: Double
    }

    /// The car of the demo; paired with the first adapter.
    public let car: StandInCar
    public internal(set) var registrations: [Registration] = []
    /// While set, `RegisterPlayer` is answered with it.
    public var refusal: DBusError?
    public private(set) var isRunning = false

    private let address: String
    var connection: Connection?
    var adapters: [String] = []
    var players: [(adapter: String, player: StandInPlayer)] = []
    var owners: [String: Subscription] = [:]
    private var signals: [Subscription] = []

    /// `bus`: its address. Nothing happens before `start`.
    public init(bus: String, carAddress: String = "AA:BB:CC:DD:EE:FF", carName: String = "Demo Car") {
        address = bus
        car = StandInCar(address: carAddress, name: carName)
        car.blueZ = self
    }

    /// Owns `org.bluez`; `adapters`: what it finds, e.g. `["hci0"]`, or none.
    public func start(adapters: [String] = ["hci0"]) async throws(DBusError) {
        let connection = try await Connection.open(.address(address))
        self.connection = connection
        signals = [
            connection.subscribe(MatchRule(interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")) {
                [weak self] in self?.propertiesChanged($0)
            },
            connection.subscribe(MatchRule(interface: "org.mpris.MediaPlayer2.Player", member: "Seeked")) {
                [weak self] in self?.seeked($0)
            },
        ]
        connection.export([manager], at: "/")
        for name in adapters { addAdapter(name) }
        try await connection.requestName("org.bluez")
        isRunning = true
    }

    /// As if bluetoothd was stopped or crashed: the name and every registration are gone; the car's link stays up.
    public func stop() {
        connection?.close()
        connection = nil
        adapters = []
        players = []
        owners = [:]
        signals = []
        isRunning = false
    }

    /// A controller appears. The first one knows the car.
    public func addAdapter(_ name: String) {
        guard !adapters.contains(name) else { return }
        adapters.append(name)
        let path = StandInObjects.adapterPath(name)
        connection?.export([media(name)], at: path)
        announce(path, StandInObjects.adapterInterfaces(name))
        guard adapters.first == name else { return }
        let device = devicePath(on: name)
        connection?.export([Interface(StandInObjects.device)], at: device)
        announce(device, [(StandInObjects.device, deviceProperties(on: name))])
    }

    /// A controller is pulled out: its players are released, its devices gone.
    public func removeAdapter(_ name: String) {
        guard adapters.contains(name) else { return }
        if adapters.first == name {
            withdraw(devicePath(on: name), [StandInObjects.device])
            connection?.unexport(devicePath(on: name))
        }
        for player in players where player.adapter == name { release(player.player) }
        players.removeAll { $0.adapter == name }
        adapters.removeAll { $0 == name }
        withdraw(StandInObjects.adapterPath(name), [StandInObjects.adapter, StandInObjects.media])
        connection?.unexport(StandInObjects.adapterPath(name))
    }

    public func forgetRegistrations() { registrations = [] }

    // The car's side.

    /// The first registered player is the one the car sees and presses.
    var addressed: StandInPlayer? { players.first { $0.adapter == adapters.first }?.player }

    func deliver(_ button: CarButton) -> Bool {
        guard let player = addressed, player.flags.contains("CanControl"), player.flags.contains(button.flag) else {
            return false
        }
        let call = MethodCall(player.sender, player.path, "org.mpris.MediaPlayer2.Player", button.rawValue)
        connection?.call(call) { _ in }
        return true
    }

    func display() -> CarDisplay {
        let now = MonotonicClock.now
        guard let player = addressed else { return CarDisplay(at: now) }
        let track = player.track
        return CarDisplay(
            title: track["Title"] ?? "", artist: track["Artist"] ?? "", album: track["Album"] ?? "",
            genre: track["Genre"] ?? "", trackNumber: track["TrackNumber"].flatMap { Int($0) },
            length: player.duration == 0 ? nil : Double(player.duration) / 1000, status: player.status,
            position: Double(player.position(at: now)) / 1000, hasPlayer: true, at: now)
    }

    func deviceChanged(_ car: StandInCar) {
        guard let adapter = adapters.first else { return }
        let flag = Value.boolean(car.isConnected)
        try? connection?.emitPropertiesChanged(
            devicePath(on: adapter), StandInObjects.device, [("Connected", flag), ("ServicesResolved", flag)])
    }
}
