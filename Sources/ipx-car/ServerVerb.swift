import EventLoop
import HeadUnit
import Library
import Linux
import RemoteProtocol

enum ServerVerb {
    @Core
    static func run(_ arguments: Arguments) async throws(Failed) {
        guard let word = arguments.words.first else { return try await show(arguments) }
        let address = try address(word)
        let folder = OwnerValues.folders(arguments).state
        let sentence = try await OwnerValues.hand(.setServer(address.url)) { () throws(Failed) in
            try OwnerValues.store([(.server, Secret(address.url))], in: folder)
        }
        try Output.line(sentence ?? address.url)
    }

    /// A text that is no address is the caller's slip; an address that would leak the sign-in is refused.
    nonisolated static func address(_ text: String) throws(Failed) -> ServerAddress {
        do throws(ServerAddress.Refusal) {
            return try ServerAddress(text)
        } catch {
            if case .plainHTTP = error { throw Failed(error.description) }
            throw .usage(error.description)
        }
    }

    private static let unset = "no server is set"

    /// What the running service goes by; when it is stopped, what it would start with.
    @Core
    private static func show(_ arguments: Arguments) async throws(Failed) {
        do throws(Failed) {
            let sentence = try await Service().send(OwnerCommand(id: commandID(), action: .showServer))
            try Output.line(sentence ?? unset)
        } catch {
            guard error.code == .notRunning else { throw error }
            let loaded = try ConfigVerb.load(arguments)
            guard let address = loaded.values.server.address else { return try Output.line(unset) }
            try Output.line("\(address) (\(loaded.source(of: "server", "address")))")
        }
    }
}
