import EventLoop
import HeadUnit
import Linux
import RemoteProtocol

extension Option {
    static let state = Option(name: "--state", value: "DIR", help: "the state folder")
}

/// Hands the owner's values to the running service or, as root while it is stopped, into its state folder.
enum OwnerValues {
    /// `store` writes the files; it runs only when nobody would answer. Returns the service's sentence.
    @Core
    static func hand(
        _ action: OwnerCommand.Action, orStore store: @Sendable () throws(Failed) -> Void
    ) async throws(Failed) -> String? {
        do throws(Failed) {
            return try await Service().send(OwnerCommand(id: commandID(), action: action))
        } catch {
            guard error.code == .notRunning, Ownership.isRoot else { throw error }
            try store()
            return nil
        }
    }

    static func folders(_ arguments: Arguments) -> Folders {
        var options = RunOptions()
        options.state = arguments["--state"]
        return Folders(options)
    }

    /// Nil removes. The files belong to whom the folder belongs: the service's user.
    static func store(_ values: [(StateFiles.Name, Secret?)], in folder: String) throws(Failed) {
        let files = StateFiles(folder: folder)
        do throws(Errno) {
            if !Folder.isFolder(folder) { try Folder.make(folder) }
            for (name, value) in values {
                guard let value else {
                    try files.remove(name)
                    continue
                }
                try files.writeOwnedLikeFolder(value, to: name)
            }
        } catch {
            throw Failed("\(folder): \(error)")
        }
    }
}
