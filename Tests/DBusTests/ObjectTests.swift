import DBus
import DemoKit
import EventLoop
import Testing

@Suite("Exported objects", .timeLimit(.minutes(1)))
@Core
struct ObjectTests {
    static let properties = "org.freedesktop.DBus.Properties"

    /// A lamp whose brightness can be set from 0 to 10.
    @Core
    final class Lamp {
        var brightness: Int32 = 3

        var interfaces: [Interface] {
            let brightness = Property("Brightness", .int32, get: { .int32(self.brightness) }) { (value) throws(DBusError) in
                guard case .int32(let number) = value, 0...10 ~= number else { throw .invalidArguments("0 to 10") }
                self.brightness = number
            }
            let age = Property("Age", .double, change: .never, get: { nil })
            let maker = Property("Maker", .string, change: .const, get: { .string("Acme") })
            return [
                Interface(
                    "net.test.Lamp", methods: [Method("Blink", [Argument("times", .uint32)]) { _ in [] }],
                    properties: [brightness, maker, age], signals: [SignalDescription("Broken", [Argument("why", .string)])])
            ]
        }
    }

    private func lamp() async throws -> (TwoOnABus, Lamp) {
        let two = try await TwoOnABus()
        let lamp = Lamp()
        two.server.export(lamp.interfaces, at: "/house/lamp")
        return (two, lamp)
    }

    private func ask(_ two: TwoOnABus, _ member: String, _ arguments: [Value]) async throws -> [Value] {
        let call = MethodCall(two.server.uniqueName, "/house/lamp", Self.properties, member, arguments)
        return try await two.client.call(call, timeout: 5)
    }

    @Test("properties are got one by one and all together")
    func get() async throws {
        let (two, _) = try await lamp()
        let one = try await ask(two, "Get", [.string("net.test.Lamp"), .string("Brightness")])
        #expect(one == [.variant(.int32(3))])
        let all: [(String, Value)] = [("Brightness", .int32(3)), ("Maker", .string("Acme"))]
        #expect(try await ask(two, "GetAll", [.string("net.test.Lamp")]) == [.properties(all)])
        #expect(try await ask(two, "GetAll", [.string("")]) == [.properties(all)])
    }

    @Test("a property is set, in its type and its range only")
    func set() async throws {
        let (two, lamp) = try await lamp()
        let name: [Value] = [.string("net.test.Lamp"), .string("Brightness")]
        _ = try await ask(two, "Set", name + [.variant(.int32(7))])
        #expect(lamp.brightness == 7)
        await #expect(throws: DBusError.invalidArguments("0 to 10")) {
            try await ask(two, "Set", name + [.variant(.int32(11))])
        }
        await #expect(throws: DBusError.self) { try await ask(two, "Set", name + [.variant(.int64(1))]) }
        #expect(lamp.brightness == 7)
    }

    @Test(
        "what can't be got or set is refused with the right error",
        arguments: [
            ("Get", [.string("net.test.Lamp"), .string("Colour")], "UnknownProperty"),
            ("Get", [.string("net.test.Other"), .string("Brightness")], "UnknownInterface"),
            ("GetAll", [.string("net.test.Other")], "UnknownInterface"),
            ("Get", [.string("net.test.Lamp"), .string("Age")], "Failed"),
            ("Set", [.string("net.test.Lamp"), .string("Maker"), .variant(.string("x"))], "PropertyReadOnly"),
            ("Get", [.int32(1)], "InvalidArgs"),
        ] as [(String, [Value], String)])
    func refused(member: String, arguments: [Value], error: String) async throws {
        let (two, _) = try await lamp()
        let thrown = await failure { try await ask(two, member, arguments) }
        #expect(thrown?.name == "org.freedesktop.DBus.Error.\(error)")
    }

    @Test("a change of properties arrives in its order")
    func changed() async throws {
        let (two, _) = try await lamp()
        let seen = Notebook<[Value]>()
        let ready = Notebook<DBusError?>()
        let rule = MatchRule(path: "/house/lamp", interface: Self.properties, argument0: "net.test.Lamp")
        let watch = two.client.subscribe(rule, then: { ready.note($0) }) { seen.note($0.arguments) }
        _ = await ready.first(1)
        let changes: [(String, Value)] = [("Maker", .string("Zeta")), ("Brightness", .int32(1))]
        try two.server.emitPropertiesChanged("/house/lamp", "net.test.Lamp", changes, invalidated: ["Other"])
        let arguments = await seen.first(1)[0]
        #expect(arguments == [.string("net.test.Lamp"), .properties(changes), .strings(["Other"])])
        watch.cancel()
    }

    @Test("another D-Bus library reads our introspection and finds the way down to the object")
    func introspection() async throws {
        let (two, _) = try await lamp()
        let tree = try await run(
            ["busctl", "--address=\(two.bus.address)", "--list", "tree", two.server.uniqueName])
        #expect(tree.split(separator: "\n").contains("/house/lamp"))
        let shown = try await run(
            ["busctl", "--address=\(two.bus.address)", "introspect", two.server.uniqueName, "/house/lamp", "net.test.Lamp"])
        let rows = shown.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(rows.contains(".Blink method u - -"))
        #expect(rows.contains(".Brightness property i 3 emits-change writable"))
        #expect(rows.contains(".Maker property s \"Acme\" const"))
        #expect(rows.contains(".Broken signal s - -"))
    }

    @Test("Peer is answered, an unexported object is gone")
    func peer() async throws {
        let (two, _) = try await lamp()
        let ping = MethodCall(two.server.uniqueName, "/house/lamp", "org.freedesktop.DBus.Peer", "Ping")
        #expect(try await two.client.call(ping, timeout: 5) == [])
        two.server.unexport("/house/lamp")
        await #expect(throws: DBusError.self) { try await ask(two, "GetAll", [.string("")]) }
    }

    /// Off the core: the program's questions are answered there.
    private nonisolated func run(_ arguments: [String]) async throws -> String { try ChildProcess.run(arguments) }
}
