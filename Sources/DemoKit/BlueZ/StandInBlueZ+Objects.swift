import DBus
import EventLoop

// The objects on the bus.
extension StandInBlueZ {
    func media(_ adapter: String) -> Interface {
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

    var manager: Interface {
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

    func devicePath(on adapter: String) -> ObjectPath {
        StandInObjects.devicePath(car.address, on: StandInObjects.adapterPath(adapter))
    }

    func deviceProperties(on adapter: String) -> [(String, Value)] {
        StandInObjects.deviceProperties(
            address: car.address, name: car.name, isConnected: car.isConnected,
            adapter: StandInObjects.adapterPath(adapter))
    }

    func announce(_ path: ObjectPath, _ interfaces: [(String, [(String, Value)])]) {
        signal("InterfacesAdded", [.objectPath(path), StandInObjects.value(interfaces)])
    }

    func withdraw(_ path: ObjectPath, _ interfaces: [String]) {
        signal("InterfacesRemoved", [.objectPath(path), .strings(interfaces)])
    }

    private func signal(_ member: String, _ arguments: [Value]) {
        try? connection?.emit(BusSignal("/", "org.freedesktop.DBus.ObjectManager", member, arguments))
    }
}
