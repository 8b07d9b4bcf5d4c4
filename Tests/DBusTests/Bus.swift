import DBus
import DemoKit
import EventLoop

/// A private bus and two connections to it: one that offers, one that asks.
@Core
struct TwoOnABus {
    let bus: PrivateBus
    let server: Connection
    let client: Connection

    init() async throws {
        bus = try await PrivateBus.launch()
        server = try await Connection.open(.address(bus.address))
        client = try await Connection.open(.address(bus.address))
    }

    func call(_ member: String, _ arguments: [Value] = [], timeout: Double = 5) async throws(DBusError) -> [Value] {
        try await client.call(MethodCall(server.uniqueName, "/test", "net.test.Echo", member, arguments), timeout: timeout)
    }
}

/// Waits until something has been noted.
@Core
final class Notebook<Note: Sendable> {
    private(set) var notes: [Note] = []
    private var waiting: [(count: Int, resume: CheckedContinuation<Void, Never>)] = []

    func note(_ note: Note) {
        notes.append(note)
        let ready = waiting.filter { $0.count <= notes.count }
        waiting.removeAll { $0.count <= notes.count }
        for waiter in ready { waiter.resume.resume() }
    }

    /// The first `count` notes; the test's time limit ends a wait in vain.
    func first(_ count: Int) async -> [Note] {
        if notes.count < count {
            await withCheckedContinuation { waiting.append((count, $0)) }
        }
        return Array(notes.prefix(count))
    }
}

/// What `body` throws, nil if nothing: `#expect(throws:)` hands it out from Swift 6.1 on only.
func failure<T: Sendable>(
    isolation: isolated (any Actor)? = #isolation, of body: () async throws -> T
) async -> DBusError? {
    do { _ = try await body() } catch { return error as? DBusError }
    return nil
}
