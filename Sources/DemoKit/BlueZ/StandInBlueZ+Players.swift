import DBus
import EventLoop

// The players' side: registering, and listening to what they say of themselves.
extension StandInBlueZ {
    func register(_ call: IncomingCall, on adapter: String) throws(DBusError) {
        guard let path = call.arguments[0].asObjectPath, let properties = call.arguments[1].asProperties else {
            throw .error(name: "org.bluez.Error.InvalidArguments", message: "Invalid arguments in method call")
        }
        var note = Registration(
            sender: call.sender, adapter: adapter, properties: properties.map { ($0.0, $0.1) }, at: MonotonicClock.now)
        defer { registrations.append(note) }
        do throws(DBusError) {
            try accept(StandInPlayer(sender: call.sender, path: path, now: MonotonicClock.now), properties, on: adapter)
        } catch {
            note.error = error.name
            throw error
        }
    }

    private func accept(
        _ new: StandInPlayer, _ properties: [(String, Value)], on adapter: String
    ) throws(DBusError) {
        if let refusal { throw refusal }
        let isKnown = players.contains {
            $0.adapter == adapter && $0.player.sender == new.sender && $0.player.path == new.path
        }
        guard !isKnown else { throw .error(name: "org.bluez.Error.AlreadyExists", message: "Already Exists") }
        var player = new
        guard player.take(properties, at: MonotonicClock.now) else {
            throw .error(name: "org.bluez.Error.InvalidArguments", message: "Invalid arguments in method call")
        }
        _ = player.takeEvents()
        players.append((adapter, player))
        car.displayChanged()
        watch(player.sender)
    }

    /// A registration ends with its connection.
    private func watch(_ sender: String) {
        guard owners[sender] == nil else { return }
        owners[sender] = connection?.watchOwner(of: sender) { [weak self] owner in
            guard owner == nil else { return }
            self?.players.removeAll { $0.player.sender == sender }
            self?.owners[sender] = nil
        }
    }

    func unregister(_ call: IncomingCall, on adapter: String) throws(DBusError) {
        let index = players.firstIndex {
            $0.adapter == adapter && $0.player.sender == call.sender && .objectPath($0.player.path) == call.arguments[0]
        }
        guard let index else { throw .error(name: "org.bluez.Error.DoesNotExist", message: "Does Not Exist") }
        release(players.remove(at: index).player)
    }

    func release(_ player: StandInPlayer) {
        connection?.call(MethodCall(player.sender, player.path, "org.mpris.MediaPlayer2.Player", "Release")) { _ in }
    }

    func propertiesChanged(_ signal: BusSignal) {
        guard signal.arguments.count == 3, signal.arguments[0] == .string("org.mpris.MediaPlayer2.Player"),
            let changed = signal.arguments[1].asProperties
        else { return }
        update(signal) { _ = $0.take(changed, at: MonotonicClock.now) }
    }

    func seeked(_ signal: BusSignal) {
        guard let position = signal.arguments.first else { return }
        update(signal) { _ = $0.seek(position, at: MonotonicClock.now) }
    }

    private func update(_ signal: BusSignal, _ change: (inout StandInPlayer) -> Void) {
        for index in players.indices where players[index].player.path == signal.path {
            guard players[index].player.sender == signal.sender else { continue }
            change(&players[index].player)
            let events = players[index].player.takeEvents()
            if players[index].player.path == addressed?.path, players[index].player.sender == addressed?.sender {
                car.note(events)
                car.displayChanged()
            }
        }
    }
}
