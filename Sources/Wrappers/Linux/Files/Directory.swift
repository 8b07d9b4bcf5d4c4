import Glibc

/// A folder of our own, by its path.
public struct Directory: Hashable, Sendable {
    public let path: String

    public init(_ path: String) { self.path = path }

    public func path(of name: String) -> String { "\(path)/\(name)" }

    /// Makes it and what is missing above it, for us alone (0700); an existing one is left as it is.
    public func create() throws(FileError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/\(part)"
            if mkdir(made, 0o700) != 0, errno != EEXIST { throw .last("mkdir") }
        }
    }

    /// Names without `.` and `..`, in no order.
    public func names() throws(FileError) -> [String] {
        guard let stream = opendir(path) else { throw .last("opendir") }
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

    /// Replaces `new` if there is one; durable when it returns (rename(2), then fsync(2) of the folder). The file's own bytes
    /// must have been synced before.
    public func rename(_ old: String, to new: String) throws(FileError) {
        _ = try checked("rename") { Glibc.rename(path(of: old), path(of: new)) }
        try sync()
    }

    /// No error when it is not there.
    public func remove(_ name: String) throws(FileError) {
        if unlink(path(of: name)) != 0, errno != ENOENT { throw .last("unlink") }
    }

    /// Makes creations, renames and removals in it durable.
    public func sync() throws(FileError) {
        let descriptor = try checked("open") { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { close(descriptor) }
        _ = try checked("fsync") { fsync(descriptor) }
    }
}
