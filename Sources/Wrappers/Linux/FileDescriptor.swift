import Glibc

/// An open file that is closed exactly once: when this value goes.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The number; borrowed, never to be closed by the caller.
    public let number: Int32

    /// Takes over a descriptor that nobody else will close.
    public init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    /// Gives the number away; the caller closes it.
    public consuming func release() -> Int32 {
        let number = self.number
        discard self
        return number
    }

    /// open(2); `O_CLOEXEC` is always added.
    public static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0o600) throws(Errno) -> FileDescriptor {
        FileDescriptor(owning: try check { Glibc.open(path, flags | O_CLOEXEC, mode) })
    }

    /// read(2) at the file's own place; empty at the end.
    public borrowing func read(upTo count: Int) throws(Errno) -> [UInt8] {
        let number = self.number
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try check { Glibc.read(number, &bytes, count) }
        bytes.removeLast(count - got)
        return bytes
    }

    /// write(2) until all is written.
    public borrowing func write(_ bytes: [UInt8]) throws(Errno) {
        let number = self.number
        var done = 0
        while done < bytes.count {
            let start = done
            // swift-format-ignore: NeverForceUnwrap
            done += try check { bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress! + start, $0.count - start) } }
        }
    }

    /// fsync(2): returns when the bytes are on the disk.
    public borrowing func synchronize() throws(Errno) {
        let number = self.number
        try check { fsync(number) }
    }

    /// fchmod(2), since open(2)'s mode is cut by the umask.
    public borrowing func setMode(_ mode: UInt32) throws(Errno) {
        let number = self.number
        try check { fchmod(number, mode) }
    }
}
