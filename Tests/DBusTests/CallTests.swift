import DBus
import DemoKit
import EventLoop
import Testing

@Suite("Calls over a real bus", .timeLimit(.minutes(1)))
@Core
struct CallTests {
    /// Every basic type at its edges, empty and full containers, a dictionary whose order is not the alphabet's.
    // swift-format-ignore: NeverForceUnwrap
    static let everything: [Value] = [
        .byte(255), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
        .int64(.min), .int64(754_321_000), .uint64(.max), .double(-0.125), .string(""), .string("Grüße, 世界 🎧"),
        .objectPath("/a/b_c"), .objectPath("/"), .signature(Signature("a{sv}(ii)as")!), .signature(Signature([])),
        .strings([]), .strings(["one"]), .array(of: .byte, [.byte(0), .byte(1)]),
        .variant(.variant(.int64(1))),
        .properties([("zulu", .string("first")), ("alpha", .int64(2)), ("mike", .strings(["third"]))]),
        .structure([.int32(1), .structure([.string("in"), .double(2)])]),
        .array(of: .structure([.string, .properties]), [.structure([.string("x"), .properties([])])]),
        .dictionary(
            key: .objectPath, value: .dictionary(key: .string, value: .properties),
            [
                .init(
                    .objectPath("/org/bluez/hci0"),
                    .dictionary(
                        key: .string, value: .properties,
                        [.init(.string("org.bluez.Adapter1"), .properties([("Powered", .boolean(true))]))]))
            ]),
        .dictionary(key: .uint32, value: .array(.variant), [.init(.uint32(7), .array(of: .variant, []))]),
    ]

    @Test("every type comes back as it was sent, in its order, one by one and all in one message")
    func roundTrip() async throws {
        let two = try await TwoOnABus()
        for values in Self.everything.map({ [$0] }) + [Self.everything] {
            let types = values.enumerated().map { Argument("a\($0.offset)", $0.element.type) }
            two.server.export(
                [Interface("net.test.Echo", methods: [Method("Echo", types, returns: types) { $0.arguments }])], at: "/test")
            #expect(try await two.call("Echo", values) == values)
        }
    }

    @Test("a message of 4 MiB passes whole, both ways")
    func bigMessage() async throws {
        let two = try await TwoOnABus()
        let text = Argument("text", .string)
        two.server.export(
            [Interface("net.test.Echo", methods: [Method("Echo", [text], returns: [text]) { $0.arguments }])], at: "/test")
        let big = Value.string(String(repeating: "0123456789abcdef", count: 1 << 18))
        #expect(try await two.call("Echo", [big], timeout: 20) == [big])
    }

    @Test("an error reply keeps its name and its words")
    func errorReply() async throws {
        let two = try await TwoOnABus()
        let refuse = Method("Refuse") { (_: IncomingCall) throws(DBusError) in
            throw .error(name: "net.test.Error.No", message: "not today")
        }
        two.server.export([Interface("net.test.Echo", methods: [refuse])], at: "/test")
        await #expect(throws: DBusError.error(name: "net.test.Error.No", message: "not today")) {
            try await two.call("Refuse")
        }
    }

    @Test("a call nobody answers times out, and its late answer is dropped")
    func timeout() async throws {
        let two = try await TwoOnABus()
        let waiting = Notebook<Method.Reply>()
        let methods = [
            Method("Wait", replying: { (_: IncomingCall, reply: @escaping Method.Reply) in waiting.note(reply) }),
            Method("Now") { _ in [] },
        ]
        two.server.export([Interface("net.test.Echo", methods: methods)], at: "/test")
        await #expect(throws: DBusError.timedOut) { try await two.call("Wait", timeout: 0.1) }
        await waiting.first(1)[0](.success([]))
        #expect(try await two.call("Now") == [])
    }

    @Test("an answer may come later, and answers may overtake each other")
    func deferredReply() async throws {
        let two = try await TwoOnABus()
        let waiting = Notebook<Method.Reply>()
        let wait = Method(
            "Wait", returns: [Argument("n", .int32)],
            replying: { (_: IncomingCall, reply: @escaping Method.Reply) in waiting.note(reply) })
        two.server.export([Interface("net.test.Echo", methods: [wait])], at: "/test")
        async let first = two.call("Wait")
        _ = await waiting.first(1)
        async let second = two.call("Wait")
        let replies = await waiting.first(2)
        replies[1](.success([.int32(2)]))
        #expect(try await second == [.int32(2)])
        replies[0](.success([.int32(1)]))
        #expect(try await first == [.int32(1)])
    }

    @Test(
        "what is not there is refused with the specification's error",
        arguments: [
            ("/nowhere", "net.test.Echo", "Echo", "UnknownObject"), ("/test", "net.test.Other", "Echo", "UnknownInterface"),
            ("/test", "net.test.Echo", "Ekko", "UnknownMethod"), ("/test", "net.test.Echo", "Echo", "InvalidArgs"),
        ])
    func unknown(path: String, interface: String, member: String, error: String) async throws {
        let two = try await TwoOnABus()
        let echo = Method("Echo", [Argument("n", .int32)]) { _ in [] }
        two.server.export([Interface("net.test.Echo", methods: [echo])], at: "/test")
        let call = MethodCall(two.server.uniqueName, ObjectPath(path)!, interface, member, [.string("not a number")])
        let thrown = await failure { try await two.client.call(call, timeout: 5) }
        #expect(thrown?.name == "org.freedesktop.DBus.Error.\(error)")
    }

    @Test("a name nobody owns is an error at once, and starts no service")
    func noService() async throws {
        let two = try await TwoOnABus()
        let call = MethodCall("net.test.Nobody", "/", "net.test.Echo", "Echo")
        let thrown = await failure { try await two.client.call(call, timeout: 5) }
        #expect(thrown?.name == "org.freedesktop.DBus.Error.NameHasNoOwner")
    }

    @Test("a method that answers other types than it declares gives an error, not a wrong message")
    func wrongResult() async throws {
        let two = try await TwoOnABus()
        let lie = Method("Lie", returns: [Argument("n", .int32)]) { _ in [.string("no number")] }
        two.server.export([Interface("net.test.Echo", methods: [lie])], at: "/test")
        let thrown = await failure { try await two.call("Lie") }
        #expect(thrown?.name == "org.freedesktop.DBus.Error.Failed")
    }

    /// What libdbus would abort the process for.
    nonisolated static let unsendable: [String: [Value]] = [
        "a NUL": [.string("a\0b")],
        "an element of another type": [.array(of: .int32, [.string("x")])],
        "an empty structure": [.structure([])],
        "a variant as key": [.dictionary(key: .variant, value: .string, [])],
        "an empty structure as element type": [.array(of: .structure([]), [])],
        "a bare string for a variant": [
            .dictionary(key: .string, value: .variant, [.init(.string("k"), .string("bare"))])
        ],
        "forty variants inside each other": (0..<40).reduce([.int32(0)]) { inner, _ in [.variant(inner[0])] },
        "a signature of 256 bytes": Array(repeating: .byte(1), count: 256),
        "65 MiB": [.string(String(repeating: "x", count: 65 << 20))],
    ]

    @Test(
        "what libdbus would abort on is refused beforehand, and the connection lives on", arguments: unsendable.keys.sorted()
    )
    func refused(_ what: String) async throws {
        let two = try await TwoOnABus()
        let thrown = await failure { try await two.call("Echo", Self.unsendable[what]!) }
        guard case .invalid = thrown else {
            Issue.record("\(String(describing: thrown))")
            return
        }
        _ = try await two.client.call(
            MethodCall("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId"))
    }

    @Test("bytes that are no UTF-8 are repaired on their way into a string, so they never reach the bus")
    func invalidUTF8() async throws {
        let two = try await TwoOnABus()
        let text = Argument("text", .string)
        two.server.export(
            [Interface("net.test.Echo", methods: [Method("Echo", [text], returns: [text]) { $0.arguments }])], at: "/test")
        let repaired = String(decoding: [0x61, 0xff, 0xc3, 0x62, 0xed, 0xa0, 0x80] as [UInt8], as: UTF8.self)
        #expect(try await two.call("Echo", [.string(repaired)]) == [.string(repaired)])
        #expect(repaired.unicodeScalars.contains("\u{FFFD}"))
    }

    @Test(
        "names that are none are refused beforehand",
        arguments: [("no name", "net.test.Echo", "Echo"), ("net.x", "bad", "Echo"), ("net.x", "a.b", "E-c\0")])
    func badNames(destination: String, interface: String, member: String) async throws {
        let two = try await TwoOnABus()
        let call = MethodCall(destination, "/", interface, member)
        let thrown = await failure { try await two.client.call(call) }
        #expect(thrown?.name == "org.freedesktop.DBus.Error.InvalidArgs")
    }
}
