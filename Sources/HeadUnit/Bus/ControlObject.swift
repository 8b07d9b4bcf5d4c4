import DBus
import EventLoop

/// The interface the command line drives the service by: `net.sdf1.ipxcar.HeadUnit1`.
///
/// It carries JSON texts and knows nothing of them.
@Core
final class ControlObject {
    nonisolated static let name = "net.sdf1.ipxcar"
    nonisolated static let path: ObjectPath = "/net/sdf1/ipxcar"
    nonisolated static let interface = "net.sdf1.ipxcar.HeadUnit1"

    /// Answers a command; the answer may come later, once.
    typealias Reply = @Core (String) -> Void

    private let state: @Core () -> String
    private let command: @Core (String, @escaping Reply) -> Void
    private let log: @Core (String) -> Void
    private var connection: Connection?
    private var ownedName: OwnedName?

    /// `state`: the present state object. `command`: a command object, answered with its reply object.
    init(
        state: @escaping @Core () -> String, command: @escaping @Core (String, @escaping Reply) -> Void,
        log: @escaping @Core (String) -> Void
    ) {
        self.state = state
        self.command = command
        self.log = log
    }

    /// Why the name is not ours, e.g. because another instance has it.
    var problem: DBusError? { ownedName?.problem }

    /// On this connection from now on; object first, then the name, so that who sees the name finds the object.
    func attach(to connection: Connection) {
        detach()
        self.connection = connection
        connection.export([object], at: Self.path)
        ownedName = OwnedName(Self.name, on: connection, log: log)
    }

    func detach() {
        ownedName?.giveUp()
        ownedName = nil
        connection?.unexport(Self.path)
        connection = nil
    }

    /// Tells everyone who follows.
    func stateChanged(_ state: String) {
        try? connection?.emit(BusSignal(Self.path, Self.interface, "StateChanged", [.string(state)]))
    }

    private var object: Interface {
        let getState = Method("GetState", returns: [Argument("state", .string)]) { [weak self] _ in
            [.string(self?.state() ?? "")]
        }
        let command = Method(
            "Command", [Argument("command", .string)], returns: [Argument("reply", .string)],
            replying: { [weak self] (call: IncomingCall, reply: @escaping Method.Reply) in
                self?.command(call.arguments[0].asString ?? "") { reply(.success([.string($0)])) }
            })
        return Interface(
            Self.interface, methods: [getState, command],
            signals: [SignalDescription("StateChanged", [Argument("state", .string)])])
    }
}
