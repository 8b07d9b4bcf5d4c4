import Library

// What the owner wants done now.
extension LinkState {
    mutating func obey(_ wish: LinkWish, _ request: Int?, _ turn: inout Turn) {
        switch wish {
        case .connect(let address): connect(address, request, &turn)
        case .disconnect(let address): disconnect(address, request, &turn)
        case .forget(let address): forget(address, request, &turn)
        case .add(let asks): openWindow(asks: asks, request, &turn)
        case .confirm(let address, let isWanted): confirm(address, isWanted, request, &turn)
        case .closeWindow:
            closeWindow(.failed(.nothingFound), &turn)
            answer(request, .windowClosed, &turn)
        }
    }

    private mutating func connect(_ address: CarAddress?, _ request: Int?, _ turn: inout Turn) {
        guard let view else { return answer(request, .failed(.noBlueZ), &turn) }
        guard view.adapters.contains(where: \.isPowered) else { return answer(request, .failed(.noAdapter), &turn) }
        guard let device = (address.map { [$0] } ?? order).lazy.compactMap(view.callable).first else {
            return answer(request, .failed(.unknownCar), &turn)
        }
        isHeld = false
        if device.isConnected { return answer(request, .connected(name: device.name), &turn) }
        closeWindow(.failed(.busy), &turn)
        if attempt?.device == device.id, attempt?.step == .connect { return joinCall(request, &turn) }
        supersede(&turn)
        if let other = link?.device {
            begin(.disconnect, other, request: request, then: device.id, isWished: true, &turn)
        } else {
            begin(.connect, device.id, request: request, isWished: true, &turn)
        }
    }

    /// It is being called already: the newest wish gets the answer.
    private mutating func joinCall(_ request: Int?, _ turn: inout Turn) {
        answer(attempt?.request, .failed(.busy), &turn)
        attempt?.request = request
        attempt?.isWished = true
    }

    private mutating func disconnect(_ address: CarAddress?, _ request: Int?, _ turn: inout Turn) {
        guard let view else { return answer(request, .failed(.noBlueZ), &turn) }
        let connected = view.devices.filter(\.isConnected)
        let device = connected.first { if let address { $0.id.address == address } else { $0.id == link?.device } }
        // Not only the present link: what is being called, or would be next, is not wanted either.
        if address == nil || address == link?.device.address || link == nil { isHeld = true }
        guard let device else {
            if address == nil || attempt?.device.address == address { breakOff(.failed(.busy), &turn) }
            return answer(request, .disconnected(name: nil), &turn)
        }
        supersede(&turn)
        begin(.disconnect, device.id, request: request, isWished: true, &turn)
    }

    mutating func disconnected(_ ended: Attempt, _ outcome: CallOutcome, _ turn: inout Turn) {
        let name = name(ended.device)
        // The owner may have changed their mind meanwhile.
        if let next = ended.then, !isHeld {
            guard view?.device(next) != nil else { return answer(ended.request, .failed(.unknownCar), &turn) }
            return begin(.connect, next, request: ended.request, isWished: ended.isWished, &turn)
        }
        switch outcome {
        case .done, .underway, .failed(.gone): answer(ended.request, .disconnected(name: name), &turn)
        case .failed(let failure):
            if view?.device(ended.device)?.isConnected == true { isHeld = false }
            answer(ended.request, .failed(.call(failure)), &turn)
        }
    }

    private mutating func forget(_ address: CarAddress, _ request: Int?, _ turn: inout Turn) {
        guard let view else { return answer(request, .failed(.noBlueZ), &turn) }
        let devices = view.devices(at: address)
        guard let name = devices.first?.name else { return answer(request, .failed(.unknownCar), &turn) }
        if attempt?.device.address == address { breakOff(.failed(.busy), &turn) }
        for device in devices.sorted(by: { $0.id < $1.id }) { turn.effects.append(.remove(device.id)) }
        if recency.contains(address) {
            recency.removeAll { $0 == address }
            turn.effects.append(.remember(recency))
        }
        answer(request, .forgotten(name: name), &turn)
    }
}
