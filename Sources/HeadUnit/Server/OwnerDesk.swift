import EventLoop
import Library
import Linux
import RemoteProtocol

/// What the owner hands over from the command line: address and token, stored with mode 0600 and used at once.
@Core
final class OwnerDesk {
    private let files: StateFiles
    private let loaded: @Core () -> LoadedConfiguration
    private let reload: @Core () -> Void
    private let log: Log

    init(
        files: StateFiles, loaded: @escaping @Core () -> LoadedConfiguration, reload: @escaping @Core () -> Void, log: Log
    ) {
        self.files = files
        self.loaded = loaded
        self.reload = reload
        self.log = log
    }

    func answer(_ command: OwnerCommand) -> RemoteReply {
        do throws(Errno) {
            try obey(command.action)
            return RemoteReply(id: command.id, .done(seq: 0), text: text)
        } catch {
            log.error("the setting is not stored", ["cause": error])
            return RemoteReply(id: command.id, .refused(.unsupported, state: nil), text: "not stored: \(error)")
        }
    }

    private func obey(_ action: OwnerCommand.Action) throws(Errno) {
        switch action {
        case .showServer: return
        case .setServer(let address): try files.write(Secret(address), to: .server)
        case .setToken(let token, let address):
            try files.write(Secret(token), to: .token)
            if let address { try files.write(Secret(address), to: .tokenAddress) }
        case .clearToken:
            try files.remove(.token)
            try files.remove(.tokenAddress)
        }
        reload()
    }

    private var text: String {
        let loaded = loaded()
        guard let address = loaded.values.server.address else { return "no server is set" }
        return "\(address) (\(loaded.source(of: "server", "address")))"
    }
}
