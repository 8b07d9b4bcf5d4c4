import Library

/// Which car is called and when, what is mended on a link, and who may pair: all decisions, no call.
///
/// Total and deterministic: the clock and chance are handed in. One call is under way at a time; an answer proves nothing, only
/// the view does.
public struct LinkState: Hashable, Sendable {
    /// Nil while there is no BlueZ.
    public internal(set) var view: LinkView?
    /// By last use, the latest first.
    public internal(set) var recency: [CarAddress]
    /// The owner disconnected by hand: nothing is called until a car comes in or the owner connects.
    public internal(set) var isHeld = false
    public internal(set) var sink: CarAddress?
    var hasSoundServer = false
    var attempt: Attempt?
    var lastNumber = 0
    /// The pace of calling.
    var caller = Retry(from: 2, to: 60)
    /// Cars still to be called before the next longer wait.
    var round: [CarAddress] = []
    /// When a call by rule began last.
    var lastCall: Instant?
    var callable: Set<CarAddress> = []
    var link: Link?
    var power: [String: PowerRetry] = [:]
    var window: PairingWindow?

    public init(recency: [CarAddress] = []) { self.recency = recency }

    /// `chance` in 0..<1, new at each call.
    public mutating func reduce(_ input: LinkInput, at now: Instant, chance: Double) -> [LinkEffect] {
        var turn = Turn(now: now, chance: chance)
        take(input, &turn)
        expire(&turn)
        followLink(&turn)
        switchOn(&turn)
        attendWindow(&turn)
        mend(&turn)
        call(&turn)
        return turn.effects
    }

    private mutating func take(_ input: LinkInput, _ turn: inout Turn) {
        switch input {
        case .view(let view): take(view, &turn)
        case .sink(let sink): self.sink = sink
        case .soundServer(let isThere):
            // A server that comes finds the cars by itself first.
            if isThere, !hasSoundServer { link?.settle(at: turn.now) }
            hasSoundServer = isThere
        case .answered(let number, let outcome):
            if attempt?.number == number { conclude(outcome, &turn) }
        case .agentAsked(let device): admit(device, &turn)
        case .wish(let wish, let request): obey(wish, request, &turn)
        case .timePassed: break
        }
    }

    private mutating func take(_ view: LinkView?, _ turn: inout Turn) {
        self.view = view
        guard let view else { return leaveBlueZ(&turn) }
        let callable = Set(view.devices.map(\.id.address).filter { view.callable($0) != nil })
        if !callable.isSubset(of: self.callable) { callAnew() }
        self.callable = callable
    }

    private mutating func leaveBlueZ(_ turn: inout Turn) {
        answer(attempt?.request, .failed(.noBlueZ), &turn)
        attempt = nil
        link = nil
        power = [:]
        callable = []
        callAnew()
        closeWindow(.failed(.noBlueZ), &turn)
    }
}

/// One turn of `reduce`.
struct Turn {
    let now: Instant
    let chance: Double
    var effects: [LinkEffect] = []
}

extension LinkState {
    /// Someone waits for this, or nobody.
    func answer(_ request: Int?, _ reply: LinkReply, _ turn: inout Turn) {
        if let request { turn.effects.append(.reply(request, reply)) }
    }

    mutating func begin(
        _ step: Step, _ device: DeviceID, request: Int? = nil, then: DeviceID? = nil, isWished: Bool = false,
        _ turn: inout Turn
    ) {
        lastNumber += 1
        attempt = Attempt(
            number: lastNumber, device: device, step: step, deadline: turn.now.advanced(by: Attempt.patience),
            request: request, then: then, isWished: isWished)
        turn.effects.append(.call(lastNumber, device, step))
    }

    /// Breaks off a call to somebody who is not there yet. It may have come through already, so it is hung up: nothing is left
    /// half done. What is under way on a link that stands is waited for.
    mutating func breakOff(_ reply: LinkReply, _ turn: inout Turn) {
        guard let former = attempt, former.step == .connect || former.step == .pair else { return }
        attempt = nil
        turn.effects.append(.hangUp(former.device))
        answer(former.request, reply, &turn)
    }

    /// The owner's wish goes before whatever is under way; a call by the owner follows at once.
    mutating func supersede(_ turn: inout Turn) {
        breakOff(.failed(.busy), &turn)
        answer(attempt?.request, .failed(.busy), &turn)
        attempt = nil
    }

    private mutating func expire(_ turn: inout Turn) {
        if let attempt, attempt.deadline <= turn.now { conclude(.failed(.noAnswer), &turn) }
    }

    mutating func conclude(_ outcome: CallOutcome, _ turn: inout Turn) {
        guard let ended = attempt else { return }
        attempt = nil
        switch ended.step {
        case .connect: called(ended, outcome, &turn)
        case .disconnect: disconnected(ended, outcome, &turn)
        case .pair: paired(ended, outcome, &turn)
        case .music where link?.device == ended.device: link?.music.failed(at: turn.now, chance: turn.chance)
        case .control where link?.device == ended.device: link?.control?.failed(at: turn.now, chance: turn.chance)
        case .music, .control: break
        }
    }

    func name(_ device: DeviceID) -> String { view?.device(device)?.name ?? device.address.description }

    /// The next moment at which something is due by itself; never in the past.
    public func wake(after now: Instant) -> Instant? {
        var moments = [attempt?.deadline, caller.notBefore, link?.music.notBefore, link?.control?.notBefore]
        moments += power.values.map(\.retry.notBefore)
        moments += windowMoments
        return moments.compactMap { $0 }.filter { $0 > now }.min()
    }

    /// The car that is looked after, as BlueZ shows it.
    public var linked: LinkView.Device? { link.flatMap { view?.device($0.device) } }

    /// Its sound can be heard: the one sign that counts (AV-36).
    public var hasSound: Bool { linked.map { $0.isConnected && $0.id.address == sink } ?? false }

    public var isWindowOpen: Bool { window != nil }

    /// The device may use its services although it is not trusted yet.
    public func admits(_ device: DeviceID) -> Bool { window?.guest == device }

    /// The owner's cars, the last used first.
    public var cars: [LinkView.Device] {
        order.compactMap { address in
            let devices = view?.devices(at: address).filter(\.isKnown).sorted { $0.id < $1.id } ?? []
            return devices.first(where: \.isConnected) ?? devices.first
        }
    }

    /// Known cars by last use; those never used come after, by address.
    var order: [CarAddress] {
        let known = Set(view?.devices.filter(\.isKnown).map(\.id.address) ?? [])
        return recency.filter(known.contains) + known.subtracting(recency).sorted()
    }
}
