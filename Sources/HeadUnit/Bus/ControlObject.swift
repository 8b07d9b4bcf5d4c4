import DBus
import EventLoop

/// `net.sdf1.ipxcar.HeadUnit1`, for the command line: the state as JSON, commands as JSON, and word of every new state.
@Core
final class ControlObject {
    static let name = "net.sdf1.ipxcar"
    static let path: ObjectPath = "/net/sdf1/ipxcar"
    static let interface = "net.sdf1.ipxcar.HeadUnit1"

    private let state: @Core () -> String
    private let command: @Core (String) -> String
    private weak var connection: Connection?

    init(state: @escaping @Core () -> String, command: @escaping @Core (String) -> String) {
        self.state = state
        self.command = command
    }

    /// Answers on this connection from now on; the caller asks for the name once everything is exported.
    func attach(to connection: Connection) {
        self.connection = connection
        connection.export([interface], at: Self.path)
    }

    func detach() { connection = nil }

    /// Tells everyone who follows.
    func changed(_ state: String) {
        // A bus that refuses a signal is lost, and its loss is told by itself.
        try? connection?.emit(BusSignal(Self.path, Self.interface, "StateChanged", [.string(state)]))
    }

    private var interface: Interface {
        Interface(
            Self.interface,
            methods: [
                Method("GetState", returns: [Argument("state", .string)]) { [unowned self] (_) throws(DBusError) in
                    [.string(state())]
                },
                Method("Command", [Argument("command", .string)], returns: [Argument("answer", .string)]) {
                    [unowned self] (call) throws(DBusError) in
                    [.string(command(call.arguments[0].asString ?? ""))]
                },
            ], signals: [SignalDescription("StateChanged", [Argument("state", .string)])])
    }
}
