import Glibc

/// Small files that are read and replaced whole: tokens, addresses, keys.
public enum SmallFile {
    /// The whole file; more than `limit` bytes is `Errno.tooLarge`, so a wrong path can't eat the memory.
    public static func read(_ path: String, limit: Int = 1 << 20) throws(Errno) -> [UInt8] {
        let file = try FileDescriptor.open(path, O_RDONLY)
        var bytes: [UInt8] = []
        while true {
            let part = try file.read(upTo: min(limit + 1 - bytes.count, 1 << 16))
            if part.isEmpty { return bytes }
            bytes += part
            if bytes.count > limit { throw .tooLarge }
        }
    }

    /// Replaces the file so that a cut of power leaves the old or the new one, whole (rename(2)): temporary name, fsync,
    /// rename, fsync of the folder. `mode` is exact whatever the umask.
    public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws(Errno) {
        let name = RandomBytes.hex(8)
        let temporary = "\(path).\(name).tmp"
        do {
            try fill(temporary, with: bytes, mode: mode)
            try check { rename(temporary, path) }
        } catch {
            unlink(temporary)
            throw error
        }
        try Folder.synchronize(Folder.parent(of: path))
    }

    private static func fill(_ path: String, with bytes: [UInt8], mode: UInt32) throws(Errno) {
        let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
        try file.setMode(mode)
        try file.write(bytes)
        try file.synchronize()
    }

    /// unlink(2), lasting; false when there was none.
    @discardableResult
    public static func remove(_ path: String) throws(Errno) -> Bool {
        do {
            try check { unlink(path) }
        } catch .noSuchFile {
            return false
        }
        try Folder.synchronize(Folder.parent(of: path))
        return true
    }

    /// rename(2), lasting; replaces what is at `to`.
    public static func move(_ path: String, to target: String) throws(Errno) {
        try check { rename(path, target) }
        try Folder.synchronize(Folder.parent(of: target))
    }

    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Permission bits.
    public static func mode(of path: String) throws(Errno) -> UInt32 {
        var status = stat()
        try check { stat(path, &status) }
        return status.st_mode & 0o7777
    }
}

extension SmallFile {
    /// Makes an empty file if there is none; the mode counts either way.
    public static func create(_ path: String, mode: UInt32 = 0o600) throws(Errno) {
        let file = try FileDescriptor.open(path, O_RDWR | O_CREAT, mode: mode)
        try file.setMode(mode)
    }

    /// True for a file without a byte; false for none.
    public static func isEmpty(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == 0
    }
}
