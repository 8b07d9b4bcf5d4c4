import Library

// A link is up; what is missing on it is brought up.
extension LinkState {
    mutating func mend(_ turn: inout Turn) {
        guard var link, let device = linked, device.isConnected else { return }
        noteSound(&link, turn.now)
        noteControl(&link, device, turn.now)
        self.link = link
        guard attempt == nil, window?.isBusy != true, !isHeld else { return }
        if !hasSound, hasSoundServer, link.music.isDue(at: turn.now) {
            bringSound(device, &turn)
        } else if link.control?.isDue(at: turn.now) == true {
            begin(.control, device.id, &turn)
        }
    }

    private func noteSound(_ link: inout Link, _ now: Instant) {
        if hasSound {
            link.hadSink = true
            link.music.reset()
        } else if link.hadSink {
            link.hadSink = false
            link.hasToldSilence = false
            link.settle(at: now)
        }
    }

    /// AVRCP is not brought back by BlueZ after a lost link: the sign is `control` false while the sound is there.
    private func noteControl(_ link: inout Link, _ device: LinkView.Device, _ now: Instant) {
        guard device.control == false, device.hasTransport || hasSound else { return link.control = nil }
        guard link.control == nil else { return }
        var retry = Retry(from: 5, to: 300)
        retry.hold(until: now.advanced(by: Link.controlGrace))
        link.control = retry
    }

    /// First gently, then the link once down and up, then gently again, ever more slowly.
    private mutating func bringSound(_ device: LinkView.Device, _ turn: inout Turn) {
        if link?.hasToldSilence == false { turn.effects.append(.tell(.noAudio(name: device.name))) }
        link?.hasToldSilence = true
        if link?.music.failures == 1, link?.hasReconnected == false {
            link?.hasReconnected = true
            link?.music.failed(at: turn.now, chance: turn.chance)
            begin(.disconnect, device.id, then: device.id, &turn)
        } else if device.hasTransport {
            // The car is ready, the sound server is not: it has chosen another profile for it.
            link?.music.failed(at: turn.now, chance: turn.chance)
            turn.effects.append(.chooseMusic(device.id.address))
        } else {
            begin(.music, device.id, &turn)
        }
    }
}
