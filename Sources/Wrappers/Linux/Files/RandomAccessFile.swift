import Glibc

/// A file read and written at given offsets, by any number of threads at once (pread(2), pwrite(2)). Closed when dropped;
/// it stays readable when its name is changed or removed meanwhile.
public final class RandomAccessFile: Sendable {
    private let descriptor: Int32

    /// Takes over an open descriptor.
    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// An existing regular file; anything else, a link too, is refused.
    public static func open(_ path: String, writable: Bool) throws(Errno) -> RandomAccessFile {
        let mode = writable ? O_RDWR : O_RDONLY
        // Not blocking: a pipe of that name must not hold us up. It means nothing for a regular file.
        let flags = mode | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = RandomAccessFile(owning: try check { Glibc.open(path, flags) })
        guard try file.status().st_mode & S_IFMT == S_IFREG else { throw Errno(EINVAL) }
        return file
    }

    /// A new, empty file in place of whatever has the name; who holds the former one open keeps it. Mode 0600.
    public static func create(_ path: String) throws(Errno) -> RandomAccessFile {
        if unlink(path) != 0, errno != ENOENT { throw .last }
        return RandomAccessFile(owning: try check { Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) })
    }

    public func size() throws(Errno) -> Int64 { Int64(try status().st_size) }

    /// Fewer than `count` bytes only at the end of the file.
    public func read(at offset: Int64, upTo count: Int) throws(Errno) -> [UInt8] {
        var failure: Errno?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            do throws(Errno) {
                while filled < count, let base = buffer.baseAddress {
                    let done = filled
                    let part = try check { pread(descriptor, base + done, count - done, off_t(offset) + off_t(done)) }
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
    public func write(_ bytes: [UInt8], at offset: Int64) throws(Errno) {
        var done = 0
        while done < bytes.count {
            let start = done
            done += try check {
                bytes.withUnsafeBytes { buffer in
                    pwrite(
                        descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start, off_t(offset) + off_t(start)
                    )
                }
            }
        }
    }

    /// Returns when the bytes, and the size needed to find them, are on the medium (fdatasync(2)).
    public func synchronizeData() throws(Errno) { try check { fdatasync(descriptor) } }

    /// Returns when bytes and metadata are on the medium (fsync(2)).
    public func synchronize() throws(Errno) { try check { fsync(descriptor) } }

    private func status() throws(Errno) -> stat {
        var status = stat()
        try check { fstat(descriptor, &status) }
        return status
    }
}
