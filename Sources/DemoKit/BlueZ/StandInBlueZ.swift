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
    public private(set) var registrations: [Registration] = []
    /// While set, `RegisterPlayer` is answered with it.
    public var refusal: DBusError?
    public private(set) var isRunning = false

    private let address: String
    private var connection: Connection?
    private var adapters: [String] = []
    private var players: [(adapter: String, player: StandInPlayer)] = []
    private var owners: [String: Subscription] = [:]
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
    private var addressed: StandInPlayer? { players.first { $0.adapter == adapters.first }?.player }

    func deliver(_ button: CarButton) -> Bool {
        guard let player = addressed, player.flags.contains("CanControl"), player.flags.contains(button.flag) else {
            return false
        }
        let call = MethodCall(player.sender, player.path, "org.mpris.MediaPlayer2.Player", button.rawValue)
        connection?.call(call) { _ in }
        return true
    }

    func display() -> CarDisplay {
        guard let player = addressed else { return CarDisplay() }
        let track = player.track
        return CarDisplay(
            title: track["Title"] ?? "", artist: track["Artist"] ?? "", album: track["Album"] ?? "",
            genre: track["Genre"] ?? "", trackNumber: track["TrackNumber"].flatMap { Int($0) },
            length: player.duration == 0 ? nil : Double(player.duration) / 1000, status: player.status,
            position: Double(player.position(at: MonotonicClock.now)) / 1000, hasPlayer: true)
    }

    func deviceChanged(_ car: StandInCar) {
        guard let adapter = adapters.first else { return }
        let flag = Value.boolean(car.isConnected)
        try? connection?.emitPropertiesChanged(
            devicePath(on: adapter), StandInObjects.device, [("Connected", flag), ("ServicesResolved", flag)])
    }

    // The players' side.

    private func register(_ call: IncomingCall, on adapter: String) throws(DBusError) {
        guard let path = call.arguments[0].asObjectPath, let properties = call.arguments[1].asProperties else {
            throw .error(name: "org.bluez.Error.InvalidArguments", message: "Invalid arguments in method call")
        }
        var note = Registration(
            sender: call.sender, adapter: adapter, properties: properties.map { ($0.0, $0.1) }, at: MonotonicClock.now)
        defer { registrations.append(note) }
        do throws(DBusError) {
            try accept(StandInPlayer(sender: call.sender, path: path, now: MonotonicClock.now), properties, on: adapter)
        } catch {
            note.error = error.name
            throw error
        }
    }

    private func accept(
        _ new: StandInPlayer, _ properties: [(String, Value)], on adapter: String
    ) throws(DBusError) {
        if let refusal { throw refusal }
        let isKnown = players.contains {
            $0.adapter == adapter && $0.player.sender == new.sender && $0.player.path == new.path
        }
        guard !isKnown else { throw .error(name: "org.bluez.Error.AlreadyExists", message: "Already Exists") }
        var player = new
        guard player.take(properties, at: MonotonicClock.now) else {
            throw .error(name: "org.bluez.Error.InvalidArguments", message: "Invalid arguments in method call")
        }
        _ = player.takeEvents()
        players.append((adapter, player))
        watch(player.sender)
    }

    /// A registration ends with its connection.
    private func watch(_ sender: String) {
        guard owners[sender] == nil else { return }
        owners[sender] = connection?.watchOwner(of: sender) { [weak self] owner in
            guard owner == nil else { return }
            self?.players.removeAll { $0.player.sender == sender }
            self?.owners[sender] = nil
        }
    }

    private func unregister(_ call: IncomingCall, on adapter: String) throws(DBusError) {
        let index = players.firstIndex {
            $0.adapter == adapter && $0.player.sender == call.sender && .objectPath($0.player.path) == call.arguments[0]
        }
        guard let index else { throw .error(name: "org.bluez.Error.DoesNotExist", message: "Does Not Exist") }
        release(players.remove(at: index).player)
    }

    private func release(_ player: StandInPlayer) {
        connection?.call(MethodCall(player.sender, player.path, "org.mpris.MediaPlayer2.Player", "Release")) { _ in }
    }

    private func propertiesChanged(_ signal: BusSignal) {
        guard signal.arguments.count == 3, signal.arguments[0] == .string("org.mpris.MediaPlayer2.Player"),
            let changed = signal.arguments[1].asProperties
        else { return }
        update(signal) { _ = $0.take(changed, at: MonotonicClock.now) }
    }

    private func seeked(_ signal: BusSignal) {
        guard let position = signal.arguments.first else { return }
        update(signal) { _ = $0.seek(position, at: MonotonicClock.now) }
    }

    private func update(_ signal: BusSignal, _ change: (inout StandInPlayer) -> Void) {
        for index in players.indices where players[index].player.path == signal.path {
            guard players[index].player.sender == signal.sender else { continue }
            change(&players[index].player)
            let events = players[index].player.takeEvents()
            if players[index].player.path == addressed?.path, players[index].player.sender == addressed?.sender {
                car.note(events)
            }
        }
    }
}

// The objects on the bus.
extension StandInBlueZ {
    private func media(_ adapter: String) -> Interface {
        Interface(
            StandInObjects.media,
            methods: [
                Method("RegisterPlayer", [Argument("player", .objectPath), Argument("properties", .properties)]) {
                    [weak self] (call: IncomingCall) throws(DBusError) in
                    try self?.register(call, on: adapter)
                    return []
                },
                Method("UnregisterPlayer", [Argument("player", .objectPath)]) {
                    [weak self] (call: IncomingCall) throws(DBusError) in
                    try self?.unregister(call, on: adapter)
                    return []
                },
            ])
    }

    private var manager: Interface {
        let type = ValueType.dictionary(key: .objectPath, value: .dictionary(key: .string, value: .properties))
        return Interface(
            "org.freedesktop.DBus.ObjectManager",
            methods: [
                Method("GetManagedObjects", returns: [Argument("objects", type)]) { [weak self] _ in
                    [
                        self?.managedObjects
                            ?? .dictionary(key: .objectPath, value: .dictionary(key: .string, value: .properties), [])
                    ]
                }
            ])
    }

    private var managedObjects: Value {
        var entries: [Value.Entry] = []
        for name in adapters {
            let path = StandInObjects.adapterPath(name)
            entries.append(.init(.objectPath(path), StandInObjects.value(StandInObjects.adapterInterfaces(name))))
        }
        if let first = adapters.first {
            let device = [(StandInObjects.device, deviceProperties(on: first))]
            entries.append(.init(.objectPath(devicePath(on: first)), StandInObjects.value(device)))
        }
        return .dictionary(key: .objectPath, value: .dictionary(key: .string, value: .properties), entries)
    }

    private func devicePath(on adapter: String) -> ObjectPath {
        StandInObjects.devicePath(car.address, on: StandInObjects.adapterPath(adapter))
    }

    private func deviceProperties(on adapter: String) -> [(String, Value)] {
        StandInObjects.deviceProperties(
            address: car.address, name: car.name, isConnected: car.isConnected,
            adapter: StandInObjects.adapterPath(adapter))
    }

    private func announce(_ path: ObjectPath, _ interfaces: [(String, [(String, Value)])]) {
        signal("InterfacesAdded", [.objectPath(path), StandInObjects.value(interfaces)])
    }

    private func withdraw(_ path: ObjectPath, _ interfaces: [String]) {
        signal("InterfacesRemoved", [.objectPath(path), .strings(interfaces)])
    }

    private func signal(_ member: String, _ arguments: [Value]) {
        try? connection?.emit(BusSignal("/", "org.freedesktop.DBus.ObjectManager", member, arguments))
    }
}
