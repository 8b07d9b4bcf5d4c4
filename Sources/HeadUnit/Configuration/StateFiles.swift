import Linux

/// What the owner set from the command line: small files in the state folder, one value each, readable by the service alone.
public struct StateFiles: Hashable, Sendable {
    public enum Name: String, Hashable, Sendable, CaseIterable {
        case server, token
        case tokenAddress = "token-address"
    }

    public let folder: String

    public init(folder: String) { self.folder = folder }

    public func path(_ name: Name) -> String { "\(folder)/\(name.rawValue)" }

    /// The first line; nil when there is none.
    public func read(_ name: Name) throws(Errno) -> String? { try firstLine(of: path(name)) }

    /// Replaces it whole, mode 0600, on the disk when it returns.
    public func write(_ value: Secret, to name: Name) throws(Errno) {
        try SmallFile.write(Array((value.reveal() + "\n").utf8), to: path(name))
    }

    /// The same for a writer that is not the service: the file belongs to whom the folder belongs before it gets its name, so
    /// the service never meets one it can't read.
    public func writeOwnedLikeFolder(_ value: Secret, to name: Name) throws(Errno) {
        let new = path(name) + ".new"
        try SmallFile.write(Array((value.reveal() + "\n").utf8), to: new)
        try Ownership.copy(to: new, from: folder)
        try SmallFile.move(new, to: path(name))
    }

    public func remove(_ name: Name) throws(Errno) { try SmallFile.remove(path(name)) }
}

/// Nil when the file is missing or its first line is empty.
func firstLine(of path: String) throws(Errno) -> String? {
    do throws(Errno) {
        let bytes = try SmallFile.read(path, limit: 65536)
        let line = trimmed(String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self))
        return line.isEmpty ? nil : line
    } catch {
        if error == .noSuchFile { return nil }
        throw error
    }
}
