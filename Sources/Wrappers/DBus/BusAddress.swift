import Glibc

/// Where a bus listens.
public enum BusAddress: Hashable, Sendable {
    /// `DBUS_SYSTEM_BUS_ADDRESS`, else the place the specification fixes ("Well-known Message Bus Instances").
    case system
    /// As the specification writes them, e.g. `unix:path=/run/bus`.
    case address(String)

    public var text: String {
        switch self {
        case .system:
            getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? "unix:path=/var/run/dbus/system_bus_socket"
        case .address(let text): text
        }
    }
}
