import EventLoop
import MPV

/// The place of the one mpv player: empty, being opened, there, or broken for good.
@Core
final class PlayerSlot {
    private var player: MPVPlayer?
    private(set) var isOpening = false
    private(set) var isBroken = false
    var isReady: Bool { player != nil }
    private let log: @Core (String) -> Void

    init(log: @escaping @Core (String) -> Void) { self.log = log }

    /// `opened` comes once, also when it is broken.
    func open(_ setup: MPVSetup, heard: @escaping @Core (MPVEvent) -> Void, opened: @escaping @Core @Sendable () -> Void) {
        guard !isOpening else { return }
        isOpening = true
        MPVPlayer.open(setup) { [weak self] result in
            self?.take(result, heard)
            opened()
        }
    }

    private func take(_ result: Result<MPVPlayer, MPVError>, _ heard: @escaping @Core (MPVEvent) -> Void) {
        do {
            let player = try result.get()
            player.onEvent = heard
            try player.requestLog("warn")
            try player.observe("paused-for-cache")
            self.player = player
        } catch {
            log("libmpv does not start: \(error)")
            isBroken = true
        }
    }

    /// False: mpv refused on the spot, or is not there yet; an attempt is started as it is by then.
    @discardableResult
    func ask(_ body: (MPVPlayer) throws(MPVError) -> Void) -> Bool {
        guard let player else { return false }
        do {
            try body(player)
            return true
        } catch {
            log("mpv refused: \(error)")
            return false
        }
    }
}
