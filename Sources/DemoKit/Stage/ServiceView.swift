import DBus
import EventLoop

/// The running service as seen from the bus: its state as it changes, and commands to it.
@Core
final class ServiceView {
    private(set) var state: ServiceState?
    private let connection: Connection
    private var subscriptions: [Subscription] = []
    private var commands = 0

    private static let name = "net.sdf1.ipxcar"
    private static let path: ObjectPath = "/net/sdf1/ipxcar"
    private static let interface = "net.sdf1.ipxcar.HeadUnit1"

    init(bus: String) async throws(DBusError) {
        connection = try await Connection.open(.address(bus))
        let changes = MatchRule(path: Self.path, interface: Self.interface, member: "StateChanged")
        subscriptions = [
            connection.subscribe(changes) { [weak self] in self?.learn($0.arguments.first?.asString) },
            connection.watchOwner(of: Self.name) { [weak self] owner in
                self?.state = nil
                if owner != nil { self?.ask() }
            },
        ]
    }

    func close() { connection.close() }

    func skip(by seconds: Double) {
        commands += 1
        let id = "demo-\(MonotonicClock.now)-\(commands)"
        let command: JSONValue = ["id": .string(id), "cmd": "skip", "by": .number(seconds)]
        let text = String(decoding: command.bytes, as: UTF8.self)
        connection.call(MethodCall(Self.name, Self.path, Self.interface, "Command", [.string(text)])) { _ in }
    }

    private func ask() {
        connection.call(MethodCall(Self.name, Self.path, Self.interface, "GetState")) { [weak self] in
            if case .success(let values) = $0 { self?.learn(values.first?.asString) }
        }
    }

    private func learn(_ text: String?) {
        if let text, let state = ServiceState(json: text) { self.state = state }
    }
}
