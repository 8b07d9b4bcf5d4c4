import Library
import Links
import Testing

@Suite("The pairing window", .timeLimit(.minutes(1)))
struct WindowTests {
    private let kombi = DeviceID(adapter: "hci0", address: .kombi)

    private func open(asks: Bool) -> Bench {
        var bench = Bench()
        bench.shows()
        bench.send(.wish(.add(asks: asks), request: 1))
        return bench
    }

    @Test("opened by a button: the nearest car that plays music is paired with, trusted, connected, and the window closes")
    func button() {
        var bench = open(asks: false)
        #expect(bench.effects.starts(with: [.openWindow(adapters: ["hci0"]), .tell(.windowOpen)]))
        bench.shows { $0.devices = [.stranger(.roadster, signal: -80), .stranger(.truck, signal: -20, playsMusic: false)] }
        bench.wait(2)
        bench.shows { $0.devices.append(.stranger(.kombi, signal: -40)) }
        bench.wait(1.1)
        #expect(bench.calls(.pair).map(\.car) == [.kombi])
        bench.set(.kombi) { $0.isPaired = true }
        bench.answer(.done)
        #expect(bench.effects.contains(.trust(kombi)) && bench.effects.contains(.closeWindow))
        #expect(bench.replies == [.paired(.kombi, name: "Car 1")])
        #expect(bench.calls(.connect).map(\.car) == [.kombi])
        #expect(bench.state.recency == [.kombi] && !bench.state.isWindowOpen)
    }

    @Test("opened from a terminal: each car found is confirmed first; a no goes on searching")
    func asks() {
        var bench = open(asks: true)
        bench.shows { $0.devices = [.stranger(.kombi, signal: -80), .stranger(.roadster, signal: -40)] }
        #expect(bench.replies == [.found(.roadster, name: "Car 2")])
        bench.wait(20)
        #expect(bench.calls(.pair).isEmpty, "not before the word")
        bench.send(.wish(.confirm(.roadster, false), request: 2))
        #expect(bench.replies.last == .found(.kombi, name: "Car 1"))
        bench.send(.wish(.confirm(.kombi, true), request: 3))
        #expect(bench.calls(.pair).map(\.car) == [.kombi])
        bench.answer(.failed(.refused))
        #expect(bench.replies.last == .failed(.call(.refused)) && !bench.state.isWindowOpen)
    }

    @Test("a car that calls in is let in while the window is open, and by nobody else at no other time")
    func incoming() {
        var bench = Bench()
        bench.shows()
        #expect(bench.send(.agentAsked(kombi)) == [.admit(kombi, false)])
        bench.send(.wish(.add(asks: false), request: nil))
        #expect(bench.send(.agentAsked(kombi)) == [.admit(kombi, true)])
        #expect(bench.state.admits(kombi) && !bench.state.admits(DeviceID(adapter: "hci0", address: .truck)))
        #expect(bench.send(.agentAsked(DeviceID(adapter: "hci0", address: .truck))).last != .admit(kombi, true))
        bench.shows { $0.devices = [.car(.kombi)] }
        #expect(!bench.state.isWindowOpen)
        #expect(bench.send(.agentAsked(kombi)) == [.admit(kombi, false)])
    }

    @Test("a car calls in while the owner is asked: it waits for the owner's word")
    func incomingConfirmed() {
        var bench = open(asks: true)
        #expect(bench.send(.agentAsked(kombi)) == [.reply(1, .found(.kombi, name: "AA:00:00:00:00:01"))])
        #expect(bench.send(.wish(.confirm(.kombi, true), request: 2)) == [.admit(kombi, true)])
        bench.shows { $0.devices = [.car(.kombi)] }
        #expect(bench.replies.last == .paired(.kombi, name: "Car 1"))
    }

    @Test("what pairs and plays no music is forgotten again")
    func noMusic() {
        var bench = open(asks: false)
        bench.send(.agentAsked(kombi))
        bench.shows { view in
            var phone = LinkView.Device.car(.kombi)
            phone.playsMusic = false
            view.devices = [phone]
        }
        bench.wait(14)
        #expect(!bench.effects.contains(.remove(kombi)), "its services may not be known yet")
        bench.wait(2)
        #expect(bench.effects.contains(.remove(kombi)))
        bench.wait(60)
        #expect(bench.effects.filter { $0 == .remove(kombi) }.count == 1 && bench.state.isWindowOpen)
    }

    @Test("nobody comes: closed after three minutes, and said so; no car is called while it is open")
    func closes() {
        var bench = Bench.knowing(.roadster)
        bench.shows()
        bench.send(.wish(.add(asks: true), request: 1))
        #expect(bench.effects.contains(.hangUp(DeviceID(adapter: "hci0", address: .roadster))))
        bench.wait(179)
        #expect(bench.state.isWindowOpen && bench.calls(.connect).count == 1)
        bench.wait(2)
        #expect(!bench.state.isWindowOpen && bench.replies == [.failed(.nothingFound)])
        #expect(bench.calls(.connect).count == 2)
    }

    @Test("without an adapter, or when it goes meanwhile, the owner is told at once")
    func noAdapter() {
        var bench = Bench()
        bench.send(.wish(.add(asks: true), request: 1))
        #expect(bench.replies == [.failed(.noBlueZ)])
        bench.view = LinkView(adapters: [.init(id: "hci0", isPowered: false)])
        bench.shows()
        bench.send(.wish(.add(asks: true), request: 2))
        #expect(bench.replies.last == .failed(.noAdapter))
        bench.shows { $0.adapters[0].isPowered = true }
        bench.send(.wish(.add(asks: true), request: 3))
        bench.shows { $0.adapters = [] }
        #expect(bench.replies.count == 3 && bench.effects.last == .closeWindow)
    }

    @Test("opened twice: the newer wish gets the news, the older one is told so")
    func twice() {
        var bench = open(asks: false)
        bench.send(.wish(.add(asks: true), request: 2))
        #expect(bench.replies == [.failed(.busy)])
        bench.shows { $0.devices = [.stranger(.kombi)] }
        #expect(bench.replies.last == .found(.kombi, name: "Car 1"))
    }
}
