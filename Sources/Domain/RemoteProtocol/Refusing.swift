extension RemoteState {
    /// Why `command` may not run in this state, by the rules alone; nil when it may. Whether the target of a select or keep
    /// exists is the owner's to say.
    public func refusal(of command: RemoteCommand) -> RemoteReply.Refusal? {
        if let guarded = command.episode, guarded != episode?.target { return .stale }
        guard let needed = command.action.ability else { return nil }
        return can.contains(needed) ? nil : .unsupported
    }

    /// The answer to a refused command, with the picture the client lacked.
    public func refuse(_ command: RemoteCommand, as refusal: RemoteReply.Refusal) -> RemoteReply {
        RemoteReply(id: command.id, .refused(refusal, state: self))
    }
}

extension RemoteAction {
    /// Without a sink there is no volume to set; everything else is a wish the player may take at any time.
    var ability: RemoteState.Ability? {
        switch self {
        case .volume: .volume
        case .mute: .mute
        case .seek: .seek
        default: nil
        }
    }
}
