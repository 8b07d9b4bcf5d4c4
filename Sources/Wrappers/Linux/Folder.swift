import Glibc

public enum Folder {
    /// Makes the folder and the missing ones above it; the mode counts for those made here and ignores the umask.
    public static func make(_ path: String, mode: UInt32 = 0o700) throws(Errno) {
        guard mkdir(path, mode) != 0 else { return try setMode(mode, path) }
        switch Errno.last {
        case .exists:
            guard isFolder(path) else { throw Errno(ENOTDIR) }
        case .noSuchFile where parent(of: path) != path:
            try make(parent(of: path), mode: mode)
            try check { mkdir(path, mode) }
            try setMode(mode, path)
        case let failure:
            throw failure
        }
    }

    private static func setMode(_ mode: UInt32, _ path: String) throws(Errno) { try check { chmod(path, mode) } }

    public static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// fsync(2) of the folder: a rename or unlink in it is on the disk.
    public static func synchronize(_ path: String) throws(Errno) {
        try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// The path before the last `/`; "." for a bare name.
    public static func parent(of path: String) -> String {
        let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }
}
