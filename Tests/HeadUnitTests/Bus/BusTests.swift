import DBus
import DemoKit
import EventLoop
import Testing

@testable import HeadUnit

/// What a closure was told, on the core.
@Core
final class Told<Note: Sendable> {
    var all: [Note] = []
    func add(_ note: Note) { all.append(note) }
}

extension Connection {
    /// Waits until somebody owns the name.
    func nameIsOwned(_ name: String) async throws {
        let owner = Told<String?>()
        let watch = watchOwner(of: name) { owner.add($0) }
        guard await comesTrue(within: 5, { owner.all.last ?? nil != nil }) else { throw DemoError("nobody owns \(name)") }
        watch.cancel()
    }
}

@Suite("The control interface and the names", .timeLimit(.minutes(1)))
@Core
struct BusTests {
    static let interface = "net.sdf1.ipxcar.HeadUnit1"

    private func control(_ log: Told<String>, answers: Told<@Core (String) -> Void>? = nil) -> ControlObject {
        ControlObject(
            state: { #"{"seq":1}"# },
            command: { command, reply in
                if let answers { answers.add { reply($0 + command) } } else { reply("done " + command) }
            }, log: { log.add($0) })
    }

    private func call(_ bus: PrivateBus, _ member: String, _ arguments: [Value] = []) async throws -> [Value] {
        let client = try await Connection.open(.address(bus.address))
        return try await client.call(
            MethodCall("net.sdf1.ipxcar", "/net/sdf1/ipxcar", Self.interface, member, arguments), timeout: 5)
    }

    @Test("GetState answers the state, Command its reply, later if need be; StateChanged reaches who listens")
    func control() async throws {
        let bus = try await PrivateBus.launch()
        let answers = Told<@Core (String) -> Void>()
        let control = control(Told(), answers: answers)
        let service = try await Connection.open(.address(bus.address))
        control.attach(to: service)
        #expect(await comesTrue { control.problem == nil })
        let client = try await Connection.open(.address(bus.address))
        let owner = Told<String?>()
        let watch = client.watchOwner(of: "net.sdf1.ipxcar") { owner.add($0) }
        #expect(await comesTrue { owner.all.last == service.uniqueName })
        #expect(try await call(bus, "GetState") == [.string(#"{"seq":1}"#)])
        async let reply = call(bus, "Command", [.string("x")])
        #expect(await comesTrue { answers.all.count == 1 })
        answers.all[0]("later ")
        #expect(try await reply == [.string("later x")])
        let states = Told<BusSignal>()
        let ready = Told<DBusError?>()
        let listening = client.subscribe(MatchRule(interface: Self.interface), then: { ready.add($0) }) { states.add($0) }
        #expect(await comesTrue { ready.all.count == 1 })
        control.stateChanged("new")
        #expect(await comesTrue { states.all.map(\.arguments) == [[.string("new")]] })
        listening.cancel()
        watch.cancel()
    }

    @Test("a second instance is told who has the name, and takes it when that one ends")
    func nameTaken() async throws {
        let bus = try await PrivateBus.launch()
        let first = try await Connection.open(.address(bus.address))
        try await first.requestName("net.sdf1.ipxcar")
        let second = try await Connection.open(.address(bus.address))
        let log = Told<String>()
        let control = control(log)
        control.attach(to: second)
        #expect(await comesTrue { control.problem != nil })
        guard case .nameTaken("net.sdf1.ipxcar", let owner?) = control.problem else {
            Issue.record("\(String(describing: control.problem))")
            return
        }
        #expect(log.all.count == 1 && log.all[0].contains("\(owner.process ?? "") (pid \(owner.pid))"))
        first.close()
        #expect(await comesTrue { control.problem == nil })
        #expect(try await call(bus, "GetState").count == 1)
    }

    @Test("no bus at the start: tried again until there is one; lost and found again")
    func systemBus() async throws {
        let real = try await PrivateBus.launch()
        let log = Told<String>()
        let absent = SystemBus(.address("unix:path=/nonexistent/bus"), log: { log.add($0) })
        var hasTried = false
        absent.start { hasTried = true }
        #expect(await comesTrue { hasTried })
        #expect(log.all.count == 1 && absent.connection == nil)
        absent.stop()

        let events = Told<String>()
        let systemBus = SystemBus(.address(real.address), log: { log.add($0) })
        systemBus.onConnected = { _ in events.add("connected") }
        systemBus.onLost = { events.add("lost") }
        systemBus.start()
        #expect(await comesTrue { events.all == ["connected"] })
        real.stop()
        #expect(await comesTrue { events.all == ["connected", "lost"] })
        #expect(systemBus.connection == nil)
        systemBus.stop()
    }

    @Test("the bus comes back at its old address: everything is there again")
    func busRestarts() async throws {
        let bus = try await PrivateBus.launch()
        let systemBus = SystemBus(.address(bus.address), log: { _ in })
        let control = control(Told())
        systemBus.onConnected = { control.attach(to: $0) }
        systemBus.onLost = { control.detach() }
        systemBus.start()
        #expect(await comesTrue { systemBus.connection != nil && control.problem == nil })
        _ = try await Connection.open(.address(bus.address)).nameIsOwned(ControlObject.name)
        #expect(try await call(bus, "GetState").count == 1)
        try bus.restart()
        #expect(await comesTrue { systemBus.connection == nil })
        #expect(await comesTrue { systemBus.connection != nil })
        var answer: [Value] = []
        while answer.isEmpty { answer = (try? await call(bus, "GetState")) ?? [] }
        #expect(answer.count == 1)
        systemBus.stop()
    }
}
