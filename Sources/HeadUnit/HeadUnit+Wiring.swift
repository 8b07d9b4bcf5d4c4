import AudioRouting
import Car
import EventLoop
import IpxAPI
import Library
import Linux
import Media
import Playback
import RemoteProtocol

/// Who hears what from whom. Facts go to the player, effects come from it, and everyone is shown one picture.
extension HeadUnit {
    func wire() {
        wirePlayer()
        wireSound()
        wireCar()
        wireServer()
        wireBus()
    }

    private func wirePlayer() {
        player.onEffect = { [unowned self] effect, _ in
            effects.run(effect, now: player.nowPlaying, wantsToPlay: player.state.wantsToPlay)
            if case .currentChanged = effect { currentChanged() }
        }
        player.onSettled = { [unowned self] in
            notebook.noteWish(player.state.current?.episode.id, wasPlaying: player.state.wantsToPlay)
            picture.refresh()
        }
        engine.onEvent = { [unowned self] generation, event in player.send(.engine(generation, event)) }
        notebook.onNoted = { [unowned self] in serverLoop.sendSoon() }
        displays.add(bluez)
        displays.add(mpris)
        displays.onMessage = { [unowned self] text in
            picture.around { $0.message = text }
            if let text { bluez.notify(text) }
        }
    }

    /// The queue is made around the current episode; its entry must outlive the server's list.
    private func currentChanged() {
        if let episode = player.state.current?.episode {
            do { try store.remember(episode) } catch { log.error("current episode not stored", ["cause": error]) }
        }
        Core.run { [weak self] in self?.requeue() }
    }

    func requeue() {
        let current = player.state.current?.episode
        player.send(.queueChanged(catalog.queue(after: current, isOnline: network == .online)))
    }

    private func wireSound() {
        routing.onChange = { [unowned self] output in
            engine.setOutput(sink: output?.sink)
            player.send(output.map { .outputAppeared(car: $0.car) } ?? .outputLost)
            soundChanged()
        }
        routing.onVolumeChange = { [unowned self] in soundChanged() }
    }

    func soundChanged() {
        picture.around {
            $0.volume = routing.current == nil ? nil : routing.volume
            $0.isMuted = routing.current == nil ? nil : routing.isMuted
            $0.car.sink = routing.current?.car != nil
        }
        mpris.volumeChanged()
    }

    private func wireCar() {
        bluez.onCommand = { [unowned self] command in player.send(command, from: .car) }
        bluez.onCarChange = { [unowned self] car in
            player.send(car.map { .carConnected(address: $0.address) } ?? .carLeft)
            routing.carChanged(address: car?.address)
            picture.around {
                $0.car.connected = car != nil
                $0.car.name = car?.name
            }
            carSettingsChanged()
        }
    }

    /// Each car has its own ways.
    func carSettingsChanged() {
        let address = bluez.car?.address
        player.send(.settingsChanged(loaded.values.playerSettings(for: address)))
        bluez.settings = DashSettings(loaded.values.carSettings(for: address))
        catalog.order = EpisodeQueue.Order(rawValue: loaded.values.server.order.rawValue) ?? .feed
    }

    private func wireServer() {
        server.onDate = { [unowned self] date, at in clock.heard(date, at: at) }
        // Unwrapped first: Swift 6.0 calls it a race when a closure is set through what may be nil.
        let loop: ServerLoop = serverLoop
        loop.onNetwork = { [unowned self] _ in networkChanged() }
        media.onNetwork = { [unowned self] failure in
            reach = failure
            networkChanged()
            // The server itself tells whether it is the network or only this file's host.
            serverLoop.go()
        }
        catalog.onListed = { [unowned self] entry throws(CallFailure) in
            guard (try? store.held(entry.id)) != nil else { return learn(entry) }
            try sender.settle(entry, from: .listing)
        }
        sender.onAdopted = { [unowned self] id, place in player.send(.positionLearned(id, place)) }
        sender.onWaiting = { [unowned self] moment in serverLoop.goBy(moment) }
    }

    private func learn(_ entry: Episode) {
        if let place = entry.position { player.send(.positionLearned(entry.id, place)) }
    }

    /// What the drive can count on: the server's word, unless fetching knows worse.
    var network: NetworkState {
        switch reach {
        case .unauthorized: .signIn
        case .offline: .offline
        default: serverLoop.network ?? .offline
        }
    }

    private func networkChanged() {
        let network = network
        player.send(.networkChanged(network))
        picture.around { $0.network = network }
        requeue()
        if network == .online { media.retryNow() }
    }

    /// One round with the server: its lists when they are due, then what waits to be sent.
    func round() async throws(CallFailure) {
        do throws(CallFailure) {
            if listsAreDue {
                try await catalog.refresh()
                lastListed = monotonicNow()
                picture.around { $0.unread = catalog.unread }
                requeue()
            }
            try await sender.send()
        } catch {
            if error.kind != .internal { lastListed = nil }
            throw error
        }
    }

    private var listsAreDue: Bool {
        lastListed.map { monotonicNow().seconds(since: $0) >= ServerLoop.usualPause - 1 } ?? true
    }

    private func wireBus() {
        bus.onConnected = { [unowned self] connection in
            // BlueZ first: the car waits.
            bluez.attach(to: connection)
            control.attach(to: connection)
            mpris.attach(to: connection)
        }
        bus.onLost = { [unowned self] in
            bluez.detach()
            control.detach()
            mpris.detach()
        }
        picture.onChange = { [unowned self] state in control.stateChanged(state) }
    }
}

extension DashSettings {
    init(_ car: CarSettings) {
        self.init(
            layout: DashText.Layout(rawValue: car.layout.rawValue) ?? .episode,
            alphabet: DashString.Alphabet(rawValue: car.text.rawValue) ?? .utf8)
    }
}
