import DBus

/// The objects bluetoothd shows: paths and property lists.
enum StandInObjects {
    static let adapter = "org.bluez.Adapter1"
    static let media = "org.bluez.Media1"
    static let device = "org.bluez.Device1"

    static func adapterPath(_ name: String) -> ObjectPath { ObjectPath("/org/bluez/\(name)") ?? "/org/bluez/hci0" }

    static func devicePath(_ address: String, on adapter: ObjectPath) -> ObjectPath {
        ObjectPath("\(adapter)/dev_" + address.map { $0 == ":" ? "_" : String($0) }.joined()) ?? adapter
    }

    static func adapterInterfaces(_ name: String) -> [(String, [(String, Value)])] {
        [
            (
                adapter,
                [
                    ("Address", .string("00:AA:01:00:00:42")), ("Name", .string("box")), ("Alias", .string("box")),
                    ("Powered", .boolean(true)), ("Pairable", .boolean(true)), ("Discoverable", .boolean(false)),
                    ("UUIDs", .strings(["0000110a-0000-1000-8000-00805f9b34fb"])),
                ]
            ),
            (media, [("SupportedUUIDs", .strings([]))]),
        ]
    }

    /// A car: A2DP sink, AVRCP target and controller, hands-free.
    static func deviceProperties(address: String, name: String, isConnected: Bool, adapter: ObjectPath) -> [(String, Value)]
    {
        let services = ["110b", "110c", "110e", "111e"].map { "0000\($0)-0000-1000-8000-00805f9b34fb" }
        return [
            ("Address", .string(address)), ("Name", .string(name)), ("Alias", .string(name)), ("Paired", .boolean(true)),
            ("Trusted", .boolean(true)), ("Connected", .boolean(isConnected)), ("ServicesResolved", .boolean(isConnected)),
            ("UUIDs", .strings(services)), ("Adapter", .objectPath(adapter)),
        ]
    }

    /// `a{sa{sv}}`
    static func value(_ interfaces: [(String, [(String, Value)])]) -> Value {
        .dictionary(
            key: .string, value: .properties, interfaces.map { .init(.string($0.0), .properties($0.1)) })
    }
}
