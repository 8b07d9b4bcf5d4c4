import DBus
import DemoKit
import EventLoop
import Testing

@Suite("The life of a connection", .timeLimit(.minutes(1)))
@Core
struct ConnectionTests {
    @Test("the bus goes: calls under way fail, the loss is told once, later calls fail too")
    func lostBus() async throws {
        let two = try await TwoOnABus()
        let events = Notebook<String>()
        let waiting = Notebook<Method.Reply>()
        let wait = Method("Wait", replying: { (_: IncomingCall, reply: @escaping Method.Reply) in waiting.note(reply) })
        two.server.export([Interface("net.test.Echo", methods: [wait])], at: "/test")
        two.client.onLost = { events.note("lost") }
        two.client.call(MethodCall(two.server.uniqueName, "/test", "net.test.Echo", "Wait")) { result in
            events.note("\(result)")
        }
        _ = await waiting.first(1)
        two.bus.stop()
        #expect(await events.first(2) == ["\(Result<[Value], DBusError>.failure(.disconnected))", "lost"])
        #expect(!two.client.isConnected)
        await #expect(throws: DBusError.disconnected) { try await two.call("Wait") }
        #expect(throws: DBusError.disconnected) { try two.client.emit(BusSignal("/test", "net.test.Echo", "S")) }
    }

    @Test("no bus at the address is an error, not a wait")
    func nobodyListens() async throws {
        let thrown = await failure {
            try await Connection.open(.address("unix:path=/nonexistent/bus"))
        }
        #expect(thrown?.name == "org.freedesktop.DBus.Error.FileNotFound")
    }

    @Test("a bus that hangs does not hang the core")
    func frozenBus() async throws {
        let bus = try await PrivateBus.launch()
        bus.freeze()
        defer { bus.thaw() }
        await #expect(throws: DBusError.timedOut) { try await Connection.open(.address(bus.address), timeout: 0.2) }
    }

    @Test("a connection nobody holds any more leaves the bus")
    func dropped() async throws {
        let two = try await TwoOnABus()
        let owners = Notebook<String?>()
        var third: Connection? = try await Connection.open(.address(two.bus.address))
        let watch = two.client.watchOwner(of: third?.uniqueName ?? "") { owners.note($0) }
        #expect(await owners.first(1) == [third?.uniqueName])
        third = nil
        #expect(await owners.first(2).last == .some(nil))
        watch.cancel()
    }

    @Test("a name: owned, watched, released; a second owner is told who has it")
    func names() async throws {
        let two = try await TwoOnABus()
        let owners = Notebook<String?>()
        let watch = two.client.watchOwner(of: "net.test.Name") { owners.note($0) }
        #expect(await owners.first(1) == [nil])
        try await two.server.requestName("net.test.Name")
        try await two.server.requestName("net.test.Name")
        #expect(await owners.first(2).last == two.server.uniqueName)
        let thrown = await failure { try await two.client.requestName("net.test.Name") }
        guard case .nameTaken("net.test.Name", let owner?) = thrown else {
            Issue.record("\(String(describing: thrown))")
            return
        }
        #expect(owner.process?.isEmpty == false)
        #expect("\(thrown!)".hasPrefix("net.test.Name is taken by \(owner.process!) (pid \(owner.pid))"))
        try await two.server.releaseName("net.test.Name")
        #expect(await owners.first(3).last == .some(nil))
        watch.cancel()
    }
}
