import Library
import Links
import Testing

@Suite("A link is up, and something is missing", .timeLimit(.minutes(1)))
struct MendingTests {
    private let kombi = DeviceID(adapter: "hci0", address: .kombi)

    @Test("AV-36 connected and no A2DP after 10 s: A2DP is asked for, then one reconnect, then gently for ever")
    func noTransport() {
        var bench = Bench.knowing(.kombi)
        bench.send(.soundServer(true))
        bench.comes(.kombi, transport: false)
        bench.wait(9.9)
        #expect(bench.calls(.music).isEmpty, "it has its time")
        bench.wait(0.2)
        #expect(bench.calls(.music).count == 1)
        #expect(bench.effects.contains(.tell(.noAudio(name: "Car 1"))))
        bench.wait(3600, answering: .done)
        #expect(bench.calls(.disconnect).count == 1 && bench.calls(.connect).count == 1, "one reconnect")
        let gentle = bench.calls(.music).map(\.at)
        #expect((14...40).contains(gentle.count))
        #expect(gentle.suffix(2).reduce(0) { $1 - $0 } > 240)
        #expect(bench.effects.filter { $0 == .tell(.noAudio(name: "Car 1")) }.count == 1, "told once")
    }

    @Test("AV-36 A2DP is up and the sound server has no sink for it: it is to choose the music profile")
    func wrongProfile() {
        var bench = Bench.knowing(.kombi)
        bench.send(.soundServer(true))
        bench.comes(.kombi)
        bench.wait(10.1)
        #expect(bench.effects.contains(.chooseMusic(.kombi)))
        bench.hasSound(.kombi)
        bench.forgetLog()
        bench.wait(3600)
        #expect(bench.effects.isEmpty, "mended: nothing more")
    }

    @Test("AV-36 without a sound server the car is not bothered; when it comes, it has its time first")
    func noSoundServer() {
        var bench = Bench.knowing(.kombi)
        bench.comes(.kombi)
        bench.wait(300)
        #expect(bench.effects.isEmpty)
        bench.send(.soundServer(true))
        bench.wait(9)
        #expect(bench.effects.isEmpty)
        bench.wait(2)
        #expect(bench.effects.contains(.chooseMusic(.kombi)))
    }

    @Test("AV-36 the sink goes while the link stays: mended the same way, from the start")
    func sinkGoes() {
        var bench = Bench.knowing(.kombi)
        bench.comes(.kombi)
        bench.hasSound(.kombi)
        bench.wait(1000)
        bench.send(.sink(nil))
        bench.set(.kombi) { $0.hasTransport = false }
        bench.wait(10.1)
        #expect(bench.calls(.music).count == 1)
    }

    @Test("the reconnect fails because the car has gone: it is called like any other")
    func goneInReconnect() {
        var bench = Bench.knowing(.kombi)
        bench.send(.soundServer(true))
        bench.comes(.kombi, transport: false)
        bench.wait(10.1)
        bench.answer(.failed(.other("refused")))
        bench.wait(13)
        #expect(bench.calls(.disconnect).count == 1)
        bench.leaves(.kombi)
        bench.answer(.done)
        #expect(bench.calls(.connect).count == 1)
        bench.answer(.failed(.absent))
        bench.wait(4)
        #expect(bench.calls(.connect).count == 2)
    }

    @Test("after a lost link only the sound came back: AVRCP is connected by itself, a little later")
    func control() {
        var bench = Bench.knowing(.kombi)
        bench.comes(.kombi, control: false)
        bench.hasSound(.kombi)
        bench.wait(2.9)
        #expect(bench.calls(.control).isEmpty, "it may be on its way")
        bench.wait(0.2)
        #expect(bench.calls(.control).count == 1)
        bench.set(.kombi) { $0.control = true }
        bench.answer(.done)
        bench.wait(3600)
        #expect(bench.calls(.control).count == 1)
    }

    @Test("a car that refuses AVRCP is asked ever more rarely; one that has none, never")
    func noControl() {
        var bench = Bench.knowing(.kombi)
        bench.comes(.kombi, control: false)
        bench.hasSound(.kombi)
        bench.wait(3600, answering: .failed(.other("refused")))
        #expect((10...22).contains(bench.calls(.control).count))
        bench = Bench.knowing(.kombi)
        bench.comes(.kombi, control: nil)
        bench.hasSound(.kombi)
        bench.wait(3600)
        #expect(bench.calls(.control).isEmpty)
    }

    @Test("two are connected: the one with the sound is looked after, and nobody is called")
    func two() {
        var bench = Bench.knowing(.kombi, .roadster)
        bench.comes(.kombi, transport: false)
        bench.comes(.roadster)
        bench.hasSound(.roadster)
        #expect(bench.state.linked?.id.address == .roadster && bench.state.hasSound)
        bench.wait(600)
        #expect(bench.calls(.connect).isEmpty && bench.calls(.music).isEmpty)
    }
}
