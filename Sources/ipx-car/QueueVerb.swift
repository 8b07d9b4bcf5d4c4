import EventLoop
import RemoteProtocol

enum QueueVerb {
    @Core
    static func run(_ arguments: Arguments) async throws(Failed) {
        let words = arguments.words
        guard let change = words.first else { return try show(try await Service().state().queue, arguments.has("--json")) }
        let kind = try kind(of: change, words)
        let service = try await Service()
        let target = try EpisodeName(words[1]).target(in: try await service.state())
        try await service.send(RemoteCommand(id: commandID(), action: .queue(target, kind)))
    }

    nonisolated private static func kind(
        of change: String, _ words: [String]
    ) throws(Failed) -> RemoteAction.QueueChange {
        switch (change, words.count) {
        case ("remove", 2): return .remove
        case ("add", 2): return .add
        case ("move", 3):
            guard let place = Int(words[2]), place > 0 else { throw .usage("\(words[2]) is no place; 1 is the first") }
            return .move(to: place)
        default: throw .usage("usage: \(try Verb.named("queue").synopsis)")
        }
    }

    nonisolated private static func show(_ queue: [RemoteQueueEntry], _ isJSON: Bool) throws(Failed) {
        if isJSON { return try Output.json(RemoteJSON.text(queue)) }
        for (place, entry) in queue.enumerated() {
            let length = entry.duration.map { " of \(PlaceArgument.clock($0))" } ?? ""
            let heard = entry.position.map { PlaceArgument.clock($0) + length } ?? "place unknown"
            let kept = entry.kept ? ", kept" : ""
            let name = EpisodeName.encoded(entry.target)
            try Output.line("@\(place + 1)  \(entry.title) (\(entry.feedTitle)), \(heard)\(kept)  \(name)")
        }
    }
}
