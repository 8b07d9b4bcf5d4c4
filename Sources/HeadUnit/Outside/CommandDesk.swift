import EventLoop
import Library
import Playback
import RemoteProtocol

/// Takes commands as JSON from the local bus (and later from phones), judges them by the picture, passes them on, and
/// remembers its answers.
@Core
final class CommandDesk {
    private let picture: Picture
    private let player: PlayerLoop
    private let output: any AudioOutput
    private let find: @Core (EpisodeTarget) -> Queued?
    private let owner: @Core (OwnerCommand) -> RemoteReply
    private var memory = CommandMemory()

    init(
        picture: Picture, player: PlayerLoop, output: any AudioOutput, find: @escaping @Core (EpisodeTarget) -> Queued?,
        owner: @escaping @Core (OwnerCommand) -> RemoteReply
    ) {
        self.picture = picture
        self.player = player
        self.output = output
        self.find = find
        self.owner = owner
    }

    /// The answer as JSON; never fails: what is not understood is answered as `invalid`.
    func answer(_ json: String, from origin: Origin) -> String {
        do {
            switch try BusRequest(json: json) {
            case .remote(let command): return RemoteJSON.text(answer(command, from: origin))
            case .owner(let command): return RemoteJSON.text(owner(command))
            }
        } catch {
            return RemoteJSON.text(
                RemoteReply(id: BusRequest.id(in: json), .refused(.invalid, state: nil), text: error.text))
        }
    }

    func answer(_ command: RemoteCommand, from origin: Origin) -> RemoteReply {
        if let before = memory.answer(to: command.id) { return before }
        let reply = judge(command, from: origin)
        memory.remember(reply)
        return reply
    }

    private func judge(_ command: RemoteCommand, from origin: Origin) -> RemoteReply {
        let state = picture.state
        if let refusal = state.refusal(of: command) ?? obey(command.action, from: origin) {
            return state.refuse(command, as: refusal)
        }
        picture.refresh()
        return RemoteReply(id: command.id, .done(seq: picture.state.seq))
    }

    /// Nil: done.
    private func obey(_ action: RemoteAction, from origin: Origin) -> RemoteReply.Refusal? {
        switch action {
        case .play: player.send(.play, from: origin)
        case .pause: player.send(.pause, from: origin)
        case .toggle: player.send(.toggle, from: origin)
        case .stop: player.send(.stop, from: origin)
        case .next: player.send(.next, from: origin)
        case .previous: player.send(.previous, from: origin)
        case .nextEpisode: player.send(.nextEpisode, from: origin)
        case .previousEpisode: player.send(.previousEpisode, from: origin)
        case .seek(let place): player.send(.seek(to: place), from: origin)
        case .skip(let seconds): player.send(.skip(by: seconds), from: origin)
        case .rate(let rate): player.send(.rate(rate), from: origin)
        case .volume(let volume): return output.setVolume(volume) ? nil : .unsupported
        case .mute(let muted): return output.setMuted(muted) ? nil : .unsupported
        case .select(let target): return select(target, from: origin)
        case .keep, .queue: return .unsupported
        }
        return nil
    }

    private func select(_ target: EpisodeTarget, from origin: Origin) -> RemoteReply.Refusal? {
        guard let queued = find(target) else { return .invalid }
        player.send(.select(queued), from: origin)
        return nil
    }
}
