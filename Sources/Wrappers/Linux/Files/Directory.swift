import Glibc

/// A folder of our own and the files in it, by their names.
public struct Directory: Hashable, Sendable {
    public let path: String

    public init(_ path: String) { self.path = path }

    public func path(of name: String) -> String { "\(path)/\(name)" }

    /// Makes it and what is missing above it, for us alone (0700); an existing one is left as it is.
    public func make() throws(Errno) { try Folder.make(path) }

    /// Names without `.` and `..`, in no order.
    public func names() throws(Errno) -> [String] {
        guard let stream = opendir(path) else { throw .last }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Bytes of a regular file in it; nil when there is none of that name (a link counts as none).
    public func size(of name: String) -> Int64? {
        var status = stat()
        guard lstat(path(of: name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Replaces `new` if there is one; lasting when it returns. The file's own bytes must have been synchronized before.
    public func rename(_ old: String, to new: String) throws(Errno) {
        try SmallFile.move(path(of: old), to: path(of: new))
    }

    /// No error when it is not there. After a cut of power it may be there again.
    public func remove(_ name: String) throws(Errno) {
        do {
            try check { unlink(path(of: name)) }
        } catch .noSuchFile {
            return
        }
    }

    /// Bytes that may still be written to its file system.
    public func free() throws(Errno) -> Int64 { try Filesystem.free(path) }
}
