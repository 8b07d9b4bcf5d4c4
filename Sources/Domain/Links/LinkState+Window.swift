import Library

// The pairing window.
extension LinkState {
    mutating func openWindow(asks: Bool, _ request: Int?, _ turn: inout Turn) {
        guard let view else { return answer(request, .failed(.noBlueZ), &turn) }
        let adapters = view.adapters.filter(\.isPowered).map(\.id).sorted()
        guard !adapters.isEmpty else { return answer(request, .failed(.noAdapter), &turn) }
        if window != nil { return joinWindow(asks: asks, request, &turn) }
        // A search and a call disturb each other.
        breakOff(.failed(.busy), &turn)
        window = PairingWindow(
            until: turn.now.advanced(by: PairingWindow.length), asks: asks, request: request,
            before: Set(view.devices.filter(\.isPaired).map(\.id)))
        turn.effects += [.openWindow(adapters: adapters), .tell(.windowOpen)]
    }

    /// It is open already: the newest wish gets the news.
    private mutating func joinWindow(asks: Bool, _ request: Int?, _ turn: inout Turn) {
        answer(window?.request, .failed(.busy), &turn)
        window?.request = request
        window?.asks = asks
        window?.until = turn.now.advanced(by: PairingWindow.length)
        guard case .asking(let device, let isCalling)? = window?.stage else { return }
        if asks {
            tellFound(device, &turn)
        } else {
            accept(device, isCalling: isCalling, &turn)
        }
    }

    mutating func closeWindow(_ reply: LinkReply, _ turn: inout Turn) {
        guard let closed = window else { return }
        window = nil
        if case .asking(let device, isCalling: true) = closed.stage { turn.effects.append(.admit(device, false)) }
        if attempt?.step == .pair, attempt?.then == nil { breakOff(reply, &turn) }
        answer(closed.request, reply, &turn)
        turn.effects.append(.closeWindow)
    }

    mutating func attendWindow(_ turn: inout Turn) {
        guard let window, let view else { return }
        guard view.adapters.contains(where: \.isPowered) else { return closeWindow(.failed(.noAdapter), &turn) }
        let new = view.devices.filter {
            $0.isPaired && !window.before.contains($0.id) && !window.rejected.contains($0.id.address)
        }
        if let first = new.min(by: { $0.id < $1.id }) { return judge(first, &turn) }
        switch window.stage {
        case .admitted(_, let until) where until <= turn.now, .judging(_, let until) where until <= turn.now:
            self.window?.stage = .searching(since: nil)
        case .pairing where attempt?.step != .pair: self.window?.stage = .searching(since: nil)
        default: break
        }
        guard self.window?.isBusy == false else { return }
        if window.until <= turn.now { return closeWindow(.failed(.nothingFound), &turn) }
        if case .searching(let since)? = self.window?.stage { search(view, since, &turn) }
    }

    private mutating func search(_ view: LinkView, _ since: Instant?, _ turn: inout Turn) {
        guard let window, attempt == nil, let nearest = nearest(view, window) else { return }
        if window.asks {
            // Nobody listens just now: the next wish is told.
            self.window?.stage = .asking(nearest.id, isCalling: false)
            return tellFound(nearest.id, &turn)
        }
        let since = since ?? turn.now
        self.window?.stage = .searching(since: since)
        if turn.now.seconds(since: since) >= PairingWindow.choice { accept(nearest.id, isCalling: false, &turn) }
    }

    private func nearest(_ view: LinkView, _ window: PairingWindow) -> LinkView.Device? {
        view.devices.filter {
            !$0.isPaired && !$0.isBlocked && $0.playsMusic && $0.signal != nil && view.isUsable($0.id.adapter)
                && !window.rejected.union(window.failed).contains($0.id.address)
        }.max { (a, b) in
            let (near, far) = (a.signal ?? .min, b.signal ?? .min)
            return near == far ? b.id < a.id : near < far
        }
    }

    private mutating func tellFound(_ device: DeviceID, _ turn: inout Turn) {
        answer(window?.request, .found(device.address, name: name(device)), &turn)
        window?.request = nil
    }

    private mutating func accept(_ device: DeviceID, isCalling: Bool, _ turn: inout Turn) {
        guard isCalling || view?.device(device) != nil else {
            window?.stage = .searching(since: nil)
            answer(window?.request, .failed(.call(.gone)), &turn)
            window?.request = nil
            return
        }
        if isCalling {
            window?.stage = .admitted(device, until: turn.now.advanced(by: PairingWindow.admission))
            turn.effects.append(.admit(device, true))
        } else {
            window?.stage = .pairing(device)
            supersede(&turn)
            begin(.pair, device, &turn)
        }
    }

    mutating func confirm(_ address: CarAddress, _ isWanted: Bool, _ request: Int?, _ turn: inout Turn) {
        guard case .asking(let device, let isCalling)? = window?.stage, device.address == address else {
            return answer(request, .failed(.unknownCar), &turn)
        }
        window?.request = request
        if isWanted { return accept(device, isCalling: isCalling, &turn) }
        if isCalling { turn.effects.append(.admit(device, false)) }
        window?.rejected.insert(address)
        window?.stage = .searching(since: nil)
    }

    /// Someone wants to pair with us.
    mutating func admit(_ device: DeviceID, _ turn: inout Turn) {
        guard let window, !window.rejected.contains(device.address) else {
            return turn.effects.append(.admit(device, false))
        }
        switch window.stage {
        case .pairing(device), .admitted(device, _): turn.effects.append(.admit(device, true))
        case .searching where window.asks, .asking(device, _):
            self.window?.stage = .asking(device, isCalling: true)
            if window.request != nil { tellFound(device, &turn) }
        case .searching: accept(device, isCalling: true, &turn)
        default: turn.effects.append(.admit(device, false))
        }
    }

    /// Our own pairing has its answer; whether it is one shows in the view.
    mutating func paired(_ ended: Attempt, _ outcome: CallOutcome, _ turn: inout Turn) {
        if let next = ended.then, !isHeld, let device = view?.device(next), !device.hasTransport {
            return begin(.connect, next, isWished: true, &turn)
        }
        guard window?.stage == .pairing(ended.device) else { return }
        switch outcome {
        case .done, .underway:
            window?.stage = .judging(ended.device, until: turn.now.advanced(by: PairingWindow.judgement))
        case .failed(let failure):
            window?.failed.insert(ended.device.address)
            window?.stage = .searching(since: nil)
            turn.effects.append(.tell(.pairingFailed))
            if window?.asks == true { closeWindow(.failed(.call(failure)), &turn) }
        }
    }

    /// A new device is paired: ours to keep if it plays music.
    private mutating func judge(_ device: LinkView.Device, _ turn: inout Turn) {
        if device.playsMusic { return keep(device, &turn) }
        guard case .judging(let judged, let until)? = window?.stage, judged == device.id else {
            if case .asking(let other, isCalling: true)? = window?.stage { turn.effects.append(.admit(other, false)) }
            window?.stage = .judging(device.id, until: turn.now.advanced(by: PairingWindow.judgement))
            return
        }
        guard until <= turn.now else { return }
        turn.effects.append(.remove(device.id))
        window?.rejected.insert(device.id.address)
        window?.stage = .searching(since: nil)
        if window?.asks == true { closeWindow(.failed(.noMusic), &turn) }
    }

    private mutating func keep(_ device: LinkView.Device, _ turn: inout Turn) {
        // Its answer is waited for, then it is connected.
        let isPairing = attempt?.step == .pair && attempt?.device == device.id
        if isPairing { attempt?.then = device.id }
        isHeld = false
        if !device.isTrusted, link?.device != device.id { turn.effects.append(.trust(device.id)) }
        turn.effects.append(.tell(.paired(name: device.name)))
        used(device.id.address, &turn)
        closeWindow(.paired(device.id.address, name: device.name), &turn)
        // Pairing leaves a bare link, or none.
        if attempt == nil, !device.hasTransport { begin(.connect, device.id, isWished: true, &turn) }
    }

    var windowMoments: [Instant?] {
        guard let window else { return [] }
        switch window.stage {
        case .searching(let since): return [window.until, since?.advanced(by: PairingWindow.choice)]
        case .admitted(_, let until), .judging(_, let until): return [window.until, until]
        case .asking, .pairing: return [window.until]
        }
    }
}
