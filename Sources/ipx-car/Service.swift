import DBus
import EventLoop
import Linux
import RemoteProtocol

/// The running service, over `net.sdf1.ipxcar.HeadUnit1` on the system bus.
@Core
final class Service {
    static let name = "net.sdf1.ipxcar"
    static let path: ObjectPath = "/net/sdf1/ipxcar"
    static let interface = "net.sdf1.ipxcar.HeadUnit1"

    let connection: Connection

    /// Fails with `notRunning` when there is no bus or nobody owns the name.
    init() async throws(Failed) {
        do throws(DBusError) {
            connection = try await Connection.open(.system)
        } catch {
            throw Failed("the service is not running: no bus at \(BusAddress.system.text) (\(error))", as: .notRunning)
        }
    }

    /// The state object as the service wrote it.
    func stateText() async throws(Failed) -> String { try await call("GetState", []) }

    func state() async throws(Failed) -> RemoteState { try Self.state(from: try await stateText()) }

    nonisolated static func state(from text: String) throws(Failed) -> RemoteState {
        do { return try RemoteJSON.value(RemoteState.self, from: text) } catch {
            throw Failed("the service's state is not understood: \(error.text)")
        }
    }

    /// Sends a command and returns the service's sentence, if it has one.
    @discardableResult
    func send(_ command: some Encodable & Sendable) async throws(Failed) -> String? {
        let text = try await call("Command", [.string(RemoteJSON.text(command))])
        let reply: RemoteReply
        do { reply = try RemoteJSON.value(RemoteReply.self, from: text) } catch {
            throw Failed("the service's answer is not understood: \(error.text)")
        }
        guard case .refused(let refusal, _) = reply.outcome else { return reply.text }
        throw Failed(refusal, reply.text)
    }

    private func call(_ member: String, _ arguments: [Value]) async throws(Failed) -> String {
        let reply: [Value]
        do throws(DBusError) {
            reply = try await connection.call(MethodCall(Self.name, Self.path, Self.interface, member, arguments))
        } catch {
            throw Failed(error)
        }
        guard let text = reply.first?.asString else { throw Failed("the service's answer to \(member) is no text") }
        return text
    }
}

/// A new name for a command; the service runs each one once.
func commandID() -> String { RandomBytes.hex(16) }
