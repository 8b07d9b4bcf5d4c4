/// What a script can rely on (ipx-car(1), "Exit status").
enum ExitCode: Int32 {
    case done = 0
    case failed = 1
    case usage = 2
    case notRunning = 3
    case signInNeeded = 4
    /// By the service.
    case refused = 5
    case revoked = 6
}

/// Why a verb ended early: its exit code and the one line for standard error.
struct Failed: Error {
    var code: ExitCode
    /// Empty: everything was said already.
    var line: String

    init(_ line: String, as code: ExitCode = .failed) {
        self.code = code
        self.line = line
    }

    static func usage(_ line: String) -> Failed { Failed(line, as: .usage) }
}
