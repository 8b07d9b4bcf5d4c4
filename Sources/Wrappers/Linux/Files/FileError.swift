import Glibc

/// A file call that failed: which, and its `errno`.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    public let call: String
    public let code: Int32

    public init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    static func last(_ call: String) -> FileError { FileError(call: call, code: errno) }

    /// No room: the file system is full, or the quota is used up.
    public var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }
    public var isMissing: Bool { code == ENOENT }

    public var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// The funnel for calls that return -1 and set `errno`; asks again after EINTR.
func checked<Result: SignedInteger>(_ call: String, _ body: () -> Result) throws(FileError) -> Result {
    while true {
        let result = body()
        if result >= 0 { return result }
        if errno != EINTR { throw .last(call) }
    }
}
