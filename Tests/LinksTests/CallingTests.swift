import Library
import Links
import Testing

@Suite("Which car is called, and when", .timeLimit(.minutes(1)))
struct CallingTests {
    @Test("at start the car used last is called at once, then the others by recency, then those never used")
    func recency() {
        var bench = Bench.knowing(.kombi, .roadster, .truck, recency: [.roadster, .kombi])
        bench.shows()
        #expect(bench.calls(.connect).map(\.car) == [.roadster])
        bench.wait(6, answering: .failed(.absent))
        #expect(bench.calls(.connect).map(\.car).prefix(3) == [.roadster, .kombi, .truck])
    }

    @Test("AV-37 the car is off for a night: called ever more slowly, one attempt at a time, and never given up")
    func night() {
        var bench = Bench.knowing(.kombi)
        bench.shows()
        bench.wait(8 * 3600, answering: .failed(.absent))
        let times = bench.calls(.connect).map(\.at)
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(gaps[0] < 3)
        #expect(zip(gaps.prefix(5), gaps.prefix(6).dropFirst()).allSatisfy { $0 < $1 })
        #expect(gaps.suffix(100).allSatisfy { (48...72).contains($0) }, "slow at last")
        #expect(times.count > 400, "and never given up")
    }

    @Test("chance spreads the waits, so that two sides that dial each other drift apart")
    func jitter() {
        var gaps: Set<Int> = []
        for chance in [0, 0.3, 0.6, 0.99] {
            var bench = Bench.knowing(.kombi)
            bench.shows()
            bench.send(.answered(1, .failed(.absent)), chance: chance)
            bench.wait(10)
            let times = bench.calls(.connect).map(\.at)
            gaps.insert(Int((times[1] - times[0]) * 1000))
        }
        #expect(gaps.count == 4 && gaps.allSatisfy { (1600...2400).contains($0) })
    }

    @Test("AV-37 both sides dial at the same time: 'in progress' and 'already connected' are fine, the link counts")
    func bothDial() {
        var bench = Bench.knowing(.kombi)
        bench.shows()
        bench.answer(.underway)
        bench.comes(.kombi)
        bench.hasSound(.kombi)
        bench.wait(600)
        #expect(bench.calls(.connect).count == 1)
        #expect(bench.state.hasSound)
        #expect(!bench.effects.contains { if case .hangUp = $0 { true } else { false } })
    }

    @Test("AV-37 a clean goodbye of the car: called again after a pause, gently")
    func goodbye() {
        var bench = Bench.knowing(.kombi)
        bench.comes(.kombi)
        bench.hasSound(.kombi)
        bench.wait(100)
        bench.forgetLog()
        bench.leaves(.kombi)
        #expect(bench.calls(.connect).isEmpty, "BlueZ's own attempt after a lost link goes first")
        bench.wait(3.1)
        #expect(bench.calls(.connect).count == 1)
    }

    @Test("another car calls in during a call: it has the way, the call is hung up and its late answer means nothing")
    func givesWay() {
        var bench = Bench.knowing(.kombi, .roadster)
        bench.shows()
        let effects = bench.comes(.roadster)
        #expect(effects.contains(.hangUp(DeviceID(adapter: "hci0", address: .kombi))))
        bench.hasSound(.roadster)
        bench.answer(.failed(.other("canceled")))
        bench.wait(600)
        #expect(bench.calls(.connect).map(\.car) == [.kombi])
        #expect(bench.state.recency == [.roadster, .kombi])
    }

    @Test("AV-37 after the owner's disconnect nothing is called until a car comes in")
    func held() {
        var bench = Bench.knowing(.kombi)
        bench.comes(.kombi)
        bench.hasSound(.kombi)
        bench.send(.wish(.disconnect(nil), request: 7))
        #expect(bench.calls(.disconnect).count == 1)
        bench.leaves(.kombi)
        bench.answer(.done)
        #expect(bench.replies == [.disconnected(name: "Car 1")])
        bench.wait(24 * 3600)
        #expect(bench.calls(.connect).isEmpty && bench.state.isHeld)
        bench.comes(.kombi)
        bench.leaves(.kombi)
        bench.wait(10)
        #expect(bench.calls(.connect).count == 1, "it came in by itself, so it is wanted again")
    }

    @Test("AV-37 disconnect during a call: the call is hung up and none follows; connect ends the rest")
    func heldWhileCalling() {
        var bench = Bench.knowing(.kombi)
        bench.shows()
        let effects = bench.send(.wish(.disconnect(nil), request: 1))
        #expect(effects.contains(.hangUp(DeviceID(adapter: "hci0", address: .kombi))))
        bench.answer(.failed(.other("canceled")))
        bench.wait(3600)
        #expect(bench.calls(.connect).count == 1)
        bench.send(.wish(.connect(nil), request: 2))
        #expect(bench.calls(.connect).count == 2)
        bench.answer(.failed(.absent))
        #expect(bench.replies.last == .failed(.call(.absent)))
        bench.wait(70, answering: .failed(.absent))
        #expect(bench.calls(.connect).count > 3, "and calling goes on")
    }

    @Test("the owner wishes another car than the present one: that is put down first, then the other is called")
    func otherCar() {
        var bench = Bench.knowing(.kombi, .roadster)
        bench.comes(.kombi)
        bench.hasSound(.kombi)
        bench.send(.wish(.connect(.roadster), request: 3))
        bench.leaves(.kombi)
        bench.answer(.done)
        bench.comes(.roadster)
        bench.answer(.done)
        #expect(bench.calls(.disconnect).map(\.car) == [.kombi] && bench.calls(.connect).map(\.car) == [.roadster])
        #expect(bench.replies == [.connected(name: "Car 2")])
    }

    @Test("an answer that never comes does not hold up the next call; one that comes much later means nothing")
    func lostAnswer() {
        var bench = Bench.knowing(.kombi, .roadster)
        bench.shows()
        bench.wait(50)
        #expect(bench.calls(.connect).map(\.car) == [.kombi, .roadster])
        let before = bench.state
        bench.send(.answered(1, .done))
        #expect(bench.state == before)
    }

    @Test("bluetoothd goes in the middle of a call and comes back: called anew, and whoever waited is told")
    func blueZGoes() {
        var bench = Bench.knowing(.kombi)
        bench.shows()
        bench.send(.wish(.connect(.kombi), request: 9))
        bench.send(.view(nil))
        #expect(bench.replies == [.failed(.noBlueZ)])
        bench.wait(30)
        #expect(bench.calls(.connect).count == 1)
        bench.shows()
        #expect(bench.calls(.connect).count == 2)
    }

    @Test("several adapters: a car is called over one that has its keys and is on; the loss of it moves the call")
    func adapters() {
        var bench = Bench(recency: [.kombi])
        bench.view = LinkView(
            adapters: [.init(id: "hci0", isPowered: false), .init(id: "hci1", isPowered: true)],
            devices: [.car(.kombi), .car(.kombi, on: "hci1")])
        bench.shows()
        #expect(bench.effects.contains(.call(1, DeviceID(adapter: "hci1", address: .kombi), .connect)))
        bench.answer(.failed(.absent))
        bench.shows { view in
            view.adapters = [.init(id: "hci0", isPowered: true)]
            view.devices = [.car(.kombi)]
        }
        bench.wait(5)
        #expect(bench.effects.contains(.call(2, DeviceID(adapter: "hci0", address: .kombi), .connect)))
    }

    @Test("an adapter that is off is switched on, and again ever more slowly while it does not hold")
    func power() {
        var bench = Bench()
        bench.view = LinkView(adapters: [.init(id: "hci0", isPowered: false)])
        bench.shows()
        #expect(bench.effects == [.power(adapter: "hci0")])
        for _ in 0..<40 {
            bench.shows { $0.adapters[0].isPowered = true }
            bench.shows { $0.adapters[0].isPowered = false }
            bench.wait(10)
        }
        let count = bench.effects.count
        #expect((8...16).contains(count), "in 400 s")
        bench.shows { $0.adapters[0].isPowered = true }
        bench.wait(40)
        bench.shows { $0.adapters[0].isPowered = false }
        #expect(bench.effects.count == count + 1, "it had held, so this is a new matter")
    }

    @Test("a car that refuses us is said to be so; a car that is not trusted yet and comes in is trusted")
    func trust() {
        var bench = Bench.knowing(.kombi)
        bench.shows()
        bench.answer(.failed(.refused))
        #expect(bench.effects.contains(.tell(.refused(name: "Car 1"))))
        bench.set(.kombi) { $0.isTrusted = false }
        #expect(bench.comes(.kombi).contains(.trust(DeviceID(adapter: "hci0", address: .kombi))))
    }

    @Test("forgotten: its keys are removed on every adapter and it is not called any more")
    func forget() {
        var bench = Bench.knowing(.kombi, .roadster)
        bench.shows()
        bench.send(.wish(.forget(.kombi), request: 1))
        #expect(bench.effects.contains(.remove(DeviceID(adapter: "hci0", address: .kombi))))
        #expect(bench.state.recency == [.roadster] && bench.replies == [.forgotten(name: "Car 1")])
        bench.shows { $0.devices.removeFirst() }
        bench.wait(600, answering: .failed(.absent))
        #expect(bench.calls(.connect).dropFirst().allSatisfy { $0.car == .roadster })
        bench.send(.wish(.forget(.kombi), request: 2))
        #expect(bench.replies.last == .failed(.unknownCar))
    }

    @Test(
        "an address is understood in the spellings that people and BlueZ use",
        arguments: [
            ("aa:bb:cc:dd:ee:0f", true), ("AA_BB_CC_DD_EE_0F", true), ("AA-BB-CC-DD-EE-0F", true), ("AA:BB:CC:DD:EE", false),
            ("AA:BB:CC:DD:EE:FG", false), ("AABBCCDDEE0F", false), ("", false), ("AA:BB:CC:DD:EE:0F:", false),
        ])
    func addresses(text: String, isOne: Bool) {
        #expect(CarAddress(text)?.description == (isOne ? "AA:BB:CC:DD:EE:0F" : nil))
    }
}
