import DBus
import EventLoop
import RemoteProtocol

enum StatusVerb {
    @Core
    static func run(_ arguments: Arguments) async throws(Failed) {
        let service = try await Service()
        let isJSON = arguments.has("--json")
        guard arguments.has("--follow") else { return try show(try await service.stateText(), isJSON) }
        try await follow(service, isJSON)
    }

    nonisolated private static func show(_ text: String, _ isJSON: Bool) throws(Failed) {
        if isJSON { return try Output.json(text) }
        try Output.line(StatusLine(try Service.state(from: text)).text)
    }

    /// Every state from now on, until the service or the reader goes.
    @Core
    private static func follow(_ service: Service, _ isJSON: Bool) async throws(Failed) {
        let (texts, feed) = AsyncStream.makeStream(of: String.self)
        let rule = MatchRule(path: Service.path, interface: Service.interface, member: "StateChanged")
        let changes = service.connection.subscribe(rule) { signal in
            if let text = signal.arguments.first?.asString { feed.yield(text) }
        }
        let owner = service.connection.watchOwner(of: Service.name) { if $0 == nil { feed.finish() } }
        service.connection.onLost = { feed.finish() }
        // Asked for after the subscription, so no change is missed; one that came meanwhile is shown in its turn.
        try show(try await service.stateText(), isJSON)
        for await text in texts { try show(text, isJSON) }
        withExtendedLifetime((changes, owner)) {}
        throw Failed("the service has stopped", as: .notRunning)
    }
}
