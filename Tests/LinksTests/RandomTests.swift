import Library
import Links
import Testing

/// A BlueZ and an owner that do anything at any time; the rules that must hold through all of it.
struct RandomLinks {
    private var dice: Dice
    private var state: LinkState
    private var now = Instant(nanoseconds: 0)
    private var view: LinkView?
    private var sink: CarAddress?
    /// Calls that had no answer yet, by number; only the last may count.
    private var open: [Int: (device: DeviceID, step: Step)] = [:]
    private var lastCall: (number: Int, at: Instant, device: DeviceID, step: Step)?
    /// Ended by an answer, a hang up, the loss of BlueZ, or its patience.
    private var hasEnded = true
    private var waiting: Set<Int> = []
    private var lastRequest = 0
    private var admissions: [DeviceID] = []
    private var windowSince: Instant?
    private(set) var broken: [String] = []
    private(set) var effects: [LinkEffect] = []

    private static let cars: [CarAddress] = [.kombi, .roadster, .truck]
    private static let adapters = ["hci0", "hci1"]

    init(seed: UInt64) {
        dice = Dice(seed: seed)
        state = LinkState(recency: [.roadster, .kombi])
    }

    mutating func run(_ steps: Int) {
        for _ in 0..<steps {
            step()
            if !broken.isEmpty { return }
        }
        quiet()
    }

    private mutating func step() {
        now = now.advanced(by: dice.chance(50) ? dice.seconds(0...0.5) : dice.seconds(0...40))
        switch dice.number(0..<100) {
        case 0..<3: send(.view(nil))
        case 3..<50:
            change()
            send(.view(view))
        case 50..<58: send(.sink(dice.chance(30) ? nil : dice.one(of: Self.cars)))
        case 58..<61: send(.soundServer(dice.chance(80)))
        case 61..<76: answer()
        case 76..<80: send(.agentAsked(DeviceID(adapter: dice.one(of: Self.adapters), address: dice.one(of: Self.cars))))
        case 80..<88: wish()
        default: send(.timePassed)
        }
    }

    private mutating func change() {
        var new = view ?? LinkView()
        switch dice.number(0..<10) {
        case 0: new.adapters = Self.adapters.filter { _ in dice.chance(80) }.map { .init(id: $0, isPowered: true) }
        case 1: for index in new.adapters.indices where dice.chance(40) { new.adapters[index].isPowered.toggle() }
        case 2, 3:
            let id = DeviceID(adapter: dice.one(of: Self.adapters), address: dice.one(of: Self.cars))
            new.devices.removeAll { $0.id == id }
            if dice.chance(85) { new.devices.append(device(id)) }
        default:
            guard !new.devices.isEmpty else { break }
            let index = dice.number(0..<new.devices.count)
            new.devices[index] = device(new.devices[index].id)
        }
        new.devices.removeAll { device in !new.adapters.contains { $0.id == device.id.adapter } }
        view = new
    }

    private mutating func device(_ id: DeviceID) -> LinkView.Device {
        let isConnected = dice.chance(30)
        return LinkView.Device(
            id, name: "x", isPaired: dice.chance(85), isTrusted: dice.chance(80), isBlocked: dice.chance(3),
            isConnected: isConnected, playsMusic: dice.chance(90), hasTransport: isConnected && dice.chance(70),
            control: dice.chance(10) ? nil : isConnected && dice.chance(60), signal: dice.chance(30) ? -50 : nil)
    }

    private mutating func answer() {
        // Late ones too, and such as were never asked for.
        guard let number = dice.chance(95) ? open.keys.sorted().last : dice.number(0..<50) else { return }
        let outcomes: [CallOutcome] = [
            .done, .underway, .failed(.absent), .failed(.refused), .failed(.gone), .failed(.notReady), .failed(.other("x")),
        ]
        open[number] = nil
        if lastCall?.number == number { hasEnded = true }
        send(.answered(number, dice.one(of: outcomes)))
    }

    private mutating func wish() {
        let car = dice.one(of: Self.cars)
        let wishes: [LinkWish] = [
            .connect(nil), .connect(car), .disconnect(nil), .disconnect(car), .forget(car), .add(asks: true),
            .add(asks: false), .confirm(car, true), .confirm(car, false), .closeWindow,
        ]
        lastRequest += 1
        waiting.insert(lastRequest)
        send(.wish(dice.one(of: wishes), request: lastRequest))
    }

    private mutating func send(_ input: LinkInput) {
        if case .view(nil) = input {
            view = nil
            hasEnded = true
        }
        if let lastCall, now.seconds(since: lastCall.at) >= 45 { hasEnded = true }
        let wasHeld = state.isHeld
        var twin = state
        let chance = dice.seconds(0...0.999)
        effects = state.reduce(input, at: now, chance: chance)
        check(twin.reduce(input, at: now, chance: chance) == effects && twin == state, "the same input gives the same")
        let isWish = if case .wish = input { true } else { false }
        for effect in effects { judge(effect, isWish: isWish, wasHeld: wasHeld) }
        if let wake = state.wake(after: now) { check(wake > now, "it is woken in the future") }
        if let linked = state.linked, linked.isConnected { check(linked.isKnown, "only known cars are looked after") }
    }

    private mutating func judge(_ effect: LinkEffect, isWish: Bool, wasHeld: Bool) {
        switch effect {
        case .call(let number, let device, let step):
            check(
                hasEnded || isWish, "one call at a time, but for the owner: \(step), \(String(describing: lastCall?.step))")
            called(number, device, step)
        case .hangUp(let device):
            check(lastCall?.device == device, "only the call under way is hung up")
            hasEnded = true
        case .power(let id):
            check(view?.adapters.contains { $0.id == id && !$0.isPowered } == true, "only what is off is switched on")
        case .trust(let device), .remove(let device):
            check(view?.devices.contains { $0.id == device } == true, "only what is there is trusted or removed")
        case .remember(let cars): check(Set(cars).count == cars.count, "each car is remembered once")
        case .reply(let request, _): check(waiting.remove(request) != nil, "each wish is answered once")
        case .openWindow(let adapters):
            check(windowSince == nil, "one window at a time")
            windowSince = now
            check(
                adapters.allSatisfy { id in view?.adapters.contains { $0.id == id && $0.isPowered } == true },
                "on what is on")
        case .closeWindow:
            check(windowSince != nil, "only an open window is closed")
            windowSince = nil
        case .admit(_, true): check(windowSince != nil, "nobody is let in while the window is closed")
        case .admit, .tell, .chooseMusic: break
        }
    }

    private mutating func called(_ number: Int, _ device: DeviceID, _ step: Step) {
        check(number == (lastCall?.number ?? 0) + 1, "calls are numbered")
        check(view?.devices.contains { $0.id == device } == true, "only what BlueZ shows is called")
        check(!state.isHeld || step == .disconnect || step == .pair, "nothing is called after the owner's disconnect")
        if step == .pair { check(windowSince != nil, "pairing only in the window") }
        open[number] = (device, step)
        lastCall = (number, now, device, step)
        hasEnded = false
    }

    private mutating func check(_ holds: Bool, _ rule: String) {
        if !holds { broken.append(rule) }
    }

    /// Everything calms down with one car out of reach: it is called within the longest wait, and everyone has an answer.
    private mutating func quiet() {
        view = LinkView(
            adapters: [.init(id: "hci0", isPowered: true)],
            devices: [.car(.kombi)])
        send(.view(view))
        lastRequest += 1
        waiting.insert(lastRequest)
        send(.wish(.connect(.kombi), request: lastRequest))
        var calls: [Instant] = []
        let end = now.advanced(by: 1800)
        var turns = 0
        while now < end, broken.isEmpty {
            turns += 1
            if let lastCall, !hasEnded {
                if lastCall.step == .connect { calls.append(lastCall.at) }
                hasEnded = true
                open[lastCall.number] = nil
                send(.answered(lastCall.number, .failed(.absent)))
                continue
            }
            now = state.wake(after: now).map { min($0, end) } ?? end
            send(.timePassed)
        }
        let gaps = zip(calls, calls.dropFirst()).map { $1.seconds(since: $0) }
        check(calls.count > 20 && gaps.allSatisfy { $0 < 73 }, "calling is never given up: \(gaps) \(turns)")
        check(gaps.suffix(10).allSatisfy { $0 > 40 }, "and slows down")
        check(turns < 400, "without idle turns")
        check(waiting.isEmpty, "everyone has an answer: \(waiting)")
    }
}

@Suite("Links in chance drives", .timeLimit(.minutes(2)))
struct RandomLinkTests {
    @Test(
        "whatever BlueZ and the owner do: one call at a time, an answer for everyone, and calling never stops",
        arguments: 0..<20)
    func anything(block: UInt64) {
        for seed in block * 50..<block * 50 + 50 {
            var drive = RandomLinks(seed: seed)
            drive.run(300)
            #expect(drive.broken.isEmpty, "seed \(seed)")
            if !drive.broken.isEmpty { return }
        }
    }
}
