import DBus

/// What BlueZ shows of itself: objects with interfaces with properties, kept up to date by its signals.
struct BlueZObjects {
    private var objects: [ObjectPath: [String: [String: Value]]] = [:]

    static let adapter = "org.bluez.Adapter1"
    static let media = "org.bluez.Media1"
    static let device = "org.bluez.Device1"

    /// The answer of `GetManagedObjects`, `a{oa{sa{sv}}}`.
    mutating func replace(_ managed: Value?) {
        objects = [:]
        for entry in managed?.asEntries ?? [] {
            if let path = entry.key.asObjectPath { add(entry.value, to: path) }
        }
    }

    /// `InterfacesAdded(o, a{sa{sv}})`
    mutating func add(_ interfaces: Value, to path: ObjectPath) {
        for entry in interfaces.asEntries ?? [] {
            guard let name = entry.key.asString else { continue }
            objects[path, default: [:]][name] = Dictionary(entry.value.asProperties ?? []) { $1 }
        }
    }

    /// `InterfacesRemoved(o, as)`
    mutating func remove(_ interfaces: [String], from path: ObjectPath) {
        for name in interfaces { objects[path]?[name] = nil }
        if objects[path]?.isEmpty == true { objects[path] = nil }
    }

    /// `PropertiesChanged(s, a{sv}, as)` of an object that is known.
    mutating func change(_ interface: String, _ changed: [(String, Value)], _ invalidated: [String], of path: ObjectPath) {
        guard objects[path]?[interface] != nil else { return }
        for (name, value) in changed { objects[path]?[interface]?[name] = value }
        for name in invalidated { objects[path]?[interface]?[name] = nil }
    }

    /// Adapters one can register a player with.
    var adapters: Set<ObjectPath> {
        Set(objects.filter { $0.value[Self.media] != nil || $0.value[Self.adapter] != nil }.keys)
    }

    /// Connected devices that are an A2DP sink. By address, so that the choice among several is stable.
    var cars: [ConnectedCar] {
        objects.values.compactMap { $0[Self.device] }.compactMap(Self.car).sorted { $0.address < $1.address }
    }

    /// "AudioSink" of the Bluetooth assigned numbers; BlueZ writes UUIDs in full and in lower case.
    private static let audioSink = "0000110b-0000-1000-8000-00805f9b34fb"

    private static func car(_ device: [String: Value]) -> ConnectedCar? {
        guard device["Connected"]?.asBoolean == true, let address = device["Address"]?.asString else { return nil }
        guard device["UUIDs"]?.asStrings?.contains(where: { $0.lowercased() == audioSink }) == true else { return nil }
        let names = [device["Alias"], device["Name"]].compactMap { $0?.asString }
        return ConnectedCar(
            address: address.uppercased(), name: names.lazy.compactMap { DashString.fit($0) }.first ?? address)
    }
}
