import Library
import Links

/// A link state with a clock of its own, BlueZ as it is told to be, and everything that was wished of the outside.
struct Bench {
    var state: LinkState
    var view: LinkView? = LinkView(adapters: [.init(id: "hci0", isPowered: true)])
    private(set) var now = Instant(nanoseconds: 1_000_000_000)
    /// With the moment, seconds from the start.
    private(set) var log: [(at: Seconds, effect: LinkEffect)] = []
    private let start = Instant(nanoseconds: 1_000_000_000)

    init(recency: [CarAddress] = []) { state = LinkState(recency: recency) }

    /// Cars that are paired, trusted and away, on `hci0`.
    static func knowing(_ cars: CarAddress..., recency: [CarAddress]? = nil) -> Bench {
        var bench = Bench(recency: recency ?? cars)
        bench.view?.devices = cars.map { .car($0) }
        return bench
    }

    var elapsed: Seconds { now.seconds(since: start) }
    var effects: [LinkEffect] { log.map(\.effect) }

    @discardableResult
    mutating func send(_ input: LinkInput, chance: Double = 0.5) -> [LinkEffect] {
        let effects = state.reduce(input, at: now, chance: chance)
        log += effects.map { (elapsed, $0) }
        return effects
    }

    /// BlueZ shows what `change` makes of it.
    @discardableResult
    mutating func shows(_ change: (inout LinkView) -> Void = { _ in }) -> [LinkEffect] {
        if var view {
            change(&view)
            self.view = view
        }
        return send(.view(view))
    }

    @discardableResult
    mutating func set(_ car: CarAddress, _ change: (inout LinkView.Device) -> Void) -> [LinkEffect] {
        shows { view in
            for index in view.devices.indices where view.devices[index].id.address == car { change(&view.devices[index]) }
        }
    }

    @discardableResult
    mutating func comes(_ car: CarAddress, control: Bool? = true, transport: Bool = true) -> [LinkEffect] {
        set(car) {
            $0.isConnected = true
            $0.hasTransport = transport
            $0.control = control
        }
    }

    mutating func leaves(_ car: CarAddress) {
        set(car) {
            $0.isConnected = false
            $0.hasTransport = false
            if $0.control != nil { $0.control = false }
        }
        if state.sink == car { send(.sink(nil)) }
    }

    mutating func hasSound(_ car: CarAddress) {
        send(.soundServer(true))
        send(.sink(car))
    }

    /// Time passes; every moment that was asked for is told.
    mutating func wait(_ seconds: Seconds) {
        let end = now.advanced(by: seconds)
        while let next = state.wake(after: now), next <= end {
            now = next
            send(.timePassed)
        }
        now = end
        send(.timePassed)
    }

    /// The same, while every call is answered at once.
    mutating func wait(_ seconds: Seconds, answering outcome: CallOutcome) {
        let end = now.advanced(by: seconds)
        if let call = underway { answer(call, outcome) }
        while let next = state.wake(after: now), next <= end {
            now = next
            send(.timePassed)
            if let call = underway { answer(call, outcome) }
        }
        now = end
    }

    mutating func answer(_ outcome: CallOutcome) { if let call = underway { answer(call, outcome) } }

    private mutating func answer(_ number: Int, _ outcome: CallOutcome) {
        answered.insert(number)
        send(.answered(number, outcome))
    }

    private var answered: Set<Int> = []

    /// The number of the last call, if it has no answer yet.
    var underway: Int? {
        let number = effects.reversed().lazy.compactMap { effect -> Int? in
            if case .call(let number, _, _) = effect { number } else { nil }
        }.first
        return number.flatMap { answered.contains($0) ? nil : $0 }
    }

    /// Calls so far, with their moments.
    func calls(_ step: Step) -> [(at: Seconds, car: CarAddress)] {
        log.compactMap { entry in
            if case .call(_, let device, step) = entry.effect { (entry.at, device.address) } else { nil }
        }
    }

    var replies: [LinkReply] {
        effects.compactMap { if case .reply(_, let reply) = $0 { reply } else { nil } }
    }

    mutating func forgetLog() { log = [] }
}

extension CarAddress {
    // swift-format-ignore: NeverForceUnwrap
    static let kombi = CarAddress("AA:00:00:00:00:01")!
    // swift-format-ignore: NeverForceUnwrap
    static let roadster = CarAddress("AA:00:00:00:00:02")!
    // swift-format-ignore: NeverForceUnwrap
    static let truck = CarAddress("AA:00:00:00:00:03")!
}

extension LinkView.Device {
    static func car(_ address: CarAddress, on adapter: String = "hci0") -> LinkView.Device {
        LinkView.Device(
            DeviceID(adapter: adapter, address: address), name: "Car \(address.description.suffix(1))", isPaired: true,
            isTrusted: true, playsMusic: true, control: false)
    }

    /// Nearby and in pairing mode.
    static func stranger(_ address: CarAddress, signal: Int = -50, playsMusic: Bool = true) -> LinkView.Device {
        LinkView.Device(
            DeviceID(adapter: "hci0", address: address), name: "Car \(address.description.suffix(1))",
            playsMusic: playsMusic,
            signal: signal)
    }
}
