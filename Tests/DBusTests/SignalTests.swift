import DBus
import DemoKit
import EventLoop
import Testing

@Suite("Signals", .timeLimit(.minutes(1)))
@Core
struct SignalTests {
    @Test("a rule lets through what it names and nothing else, in order")
    func rule() async throws {
        let two = try await TwoOnABus()
        let seen = Notebook<Int32>()
        let rule = MatchRule(sender: two.server.uniqueName, pathNamespace: "/a", interface: "net.test.S", member: "Tick")
        let ready = Notebook<DBusError?>()
        let subscription = two.client.subscribe(rule, then: { ready.note($0) }) { signal in
            if case .int32(let number)? = signal.arguments.first { seen.note(number) }
        }
        #expect(await ready.first(1) == [nil])
        try two.server.emit(BusSignal("/b", "net.test.S", "Tick", [.int32(1)]))
        try two.server.emit(BusSignal("/a/x", "net.test.S", "Tock", [.int32(2)]))
        try two.client.emit(BusSignal("/a", "net.test.S", "Tick", [.int32(3)]))
        try two.server.emit(BusSignal("/ab", "net.test.S", "Tick", [.int32(4)]))
        try two.server.emit(BusSignal("/a", "net.test.S", "Tick", [.int32(5)]))
        try two.server.emit(BusSignal("/a/x", "net.test.S", "Tick", [.int32(6)]))
        #expect(await seen.first(2) == [5, 6])
        subscription.cancel()
    }

    @Test("two rules for one signal deliver it once each; a cancelled one is silent at once")
    func cancelled() async throws {
        let two = try await TwoOnABus()
        let seen = Notebook<String>()
        let rule = MatchRule(interface: "net.test.S", argument0: "it's")
        let first = two.client.subscribe(rule) { _ in seen.note("first") }
        let ready = Notebook<DBusError?>()
        let second = two.client.subscribe(rule, then: { ready.note($0) }) { _ in seen.note("second") }
        #expect(await ready.first(1) == [nil])
        try two.server.emit(BusSignal("/", "net.test.S", "Tick", [.string("it's")]))
        #expect(await seen.first(2) == ["first", "second"])
        first.cancel()
        try two.server.emit(BusSignal("/", "net.test.S", "Tick", [.string("other")]))
        try two.server.emit(BusSignal("/", "net.test.S", "Tick", [.string("it's")]))
        #expect(await seen.first(3) == ["first", "second", "second"])
        second.cancel()
    }

    @Test("a rule the bus refuses says so")
    func refusedRule() async throws {
        let two = try await TwoOnABus()
        let answers = Notebook<DBusError?>()
        let subscription = two.client.subscribe(MatchRule(member: "no member"), then: { answers.note($0) }) { _ in }
        #expect(await answers.first(1)[0]?.name == "org.freedesktop.DBus.Error.MatchRuleInvalid")
        subscription.cancel()
    }
}
