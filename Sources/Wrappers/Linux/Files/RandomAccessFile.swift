import Glibc

/// A file read and written at given offsets, by any number of threads at once (pread(2), pwrite(2)). Closed when dropped;
/// it stays readable when its name is changed or removed meanwhile.
public final class RandomAccessFile: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// An existing regular file; a link in its place is refused.
    public static func open(_ path: String, writable: Bool) throws(FileError) -> RandomAccessFile {
        let mode = writable ? O_RDWR : O_RDONLY
        let descriptor = try checked("open") { Glibc.open(path, mode | O_CLOEXEC | O_NOFOLLOW) }
        let file = RandomAccessFile(descriptor: descriptor)
        guard try file.status().st_mode & S_IFMT == S_IFREG else { throw FileError(call: "open", code: EINVAL) }
        return file
    }

    /// A new, empty file in place of whatever has the name; who holds the former one open keeps it. Mode 0600.
    public static func create(_ path: String) throws(FileError) -> RandomAccessFile {
        if unlink(path) != 0, errno != ENOENT { throw .last("unlink") }
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
        return RandomAccessFile(descriptor: try checked("open") { Glibc.open(path, flags, 0o600) })
    }

    public func size() throws(FileError) -> Int64 { Int64(try status().st_size) }

    /// Fewer than `count` bytes only at the end of the file.
    public func read(at offset: Int64, upTo count: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            do throws(FileError) {
                while filled < count, let base = buffer.baseAddress {
                    let part = try checked("pread") {
                        pread(descriptor, base + filled, count - filled, off_t(offset) + off_t(filled))
                    }
                    if part == 0 { return }
                    filled += part
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// All of it, or an error; what of it was written then is not known.
    public func write(_ bytes: [UInt8], at offset: Int64) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let part = try checked("pwrite") {
                bytes.withUnsafeBytes { buffer in
                    pwrite(descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset) + off_t(done))
                }
            }
            done += part
        }
    }

    /// Returns when the bytes, and the size needed to find them, are on the medium (fdatasync(2)).
    public func syncData() throws(FileError) { _ = try checked("fdatasync") { fdatasync(descriptor) } }

    /// Returns when bytes and metadata are on the medium (fsync(2)).
    public func sync() throws(FileError) { _ = try checked("fsync") { fsync(descriptor) } }

    private func status() throws(FileError) -> stat {
        var status = stat()
        _ = try checked("fstat") { fstat(descriptor, &status) }
        return status
    }
}
