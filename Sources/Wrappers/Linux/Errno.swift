import Glibc

/// A failed system call, by its `errno` (errno(3)).
public struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    public var code: Int32

    public init(_ code: Int32) { self.code = code }

    /// The calling thread's `errno`, to be read right after the call that failed.
    public static var last: Errno { Errno(errno) }

    /// The C library's words, e.g. "No space left on device".
    public var description: String {
        var text = [CChar](repeating: 0, count: 256)
        return strerror_r(code, &text, text.count) == 0 ? string(fromTerminated: text) : "error \(code)"
    }

    public static let noSuchFile = Errno(ENOENT)
    public static let exists = Errno(EEXIST)
    public static let noSpace = Errno(ENOSPC)
    public static let tooLarge = Errno(EFBIG)
    public static let interrupted = Errno(EINTR)
    public static let wouldBlock = Errno(EWOULDBLOCK)
}

/// The funnel for calls that answer −1 and set `errno`. A call broken off by a signal is made again, so never put
/// close(2) through here (close(2): the descriptor is gone even then).
@discardableResult
func check<T: SignedInteger>(_ call: () -> T) throws(Errno) -> T {
    while true {
        let result = call()
        guard result == -1 else { return result }
        let failure = Errno.last
        guard failure == .interrupted else { throw failure }
    }
}

/// A C string out of a buffer of ours; bytes that are no UTF-8 are replaced.
func string(fromTerminated buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
