import EventLoop
import RemoteProtocol

/// The verbs that drive the running service: one command each, nothing printed when it is obeyed.
enum DriveVerb {
    @Core
    static func send(_ action: RemoteAction) async throws(Failed) {
        try await Service().send(RemoteCommand(id: commandID(), action: action))
    }
}

/// The verbs that name an episode.
enum EpisodeVerb {
    @Core
    static func select(_ arguments: Arguments) async throws(Failed) {
        let service = try await Service()
        let target = try EpisodeName(arguments.words[0]).target(in: try await service.state())
        try await service.send(RemoteCommand(id: commandID(), action: .select(target)))
    }
}
