import Glibc

/// Lines on standard error: a message that never varies, then fields. Under the journal each line carries its priority
/// (sd-daemon(3)), elsewhere it doesn't.
public struct Log: Sendable {
    public enum Level: Int, Comparable, Sendable {
        case error = 3
        case info = 6
        case debug = 7

        public init?(_ name: String) {
            switch name {
            case "error": self = .error
            case "info": self = .info
            case "debug": self = .debug
            default: return nil
            }
        }

        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    public typealias Fields = KeyValuePairs<String, any Sendable>

    /// The least important that is still written.
    public let level: Level
    private let write: @Sendable (String) -> Void

    /// `write` gets each finished line without its line break.
    public init(level: Level = .info, write: @escaping @Sendable (String) -> Void = Log.toStandardError()) {
        self.level = level
        self.write = write
    }

    public func error(_ message: StaticString, _ fields: Fields = [:]) { log(.error, message, fields) }

    /// One for each thing a driver would notice.
    public func info(_ message: StaticString, _ fields: Fields = [:]) { log(.info, message, fields) }

    public func debug(_ message: StaticString, _ fields: @autoclosure () -> Fields = [:]) {
        if level >= .debug { log(.debug, message, fields()) }
    }

    public func log(_ level: Level, _ message: StaticString, _ fields: Fields) {
        guard level <= self.level else { return }
        write(Self.line(level, message.description, fields))
    }

    static func line(_ level: Level, _ message: String, _ fields: Fields) -> String {
        "<\(level.rawValue)>" + fields.reduce(message) { $0 + " \($1.key)=" + quoted(String(describing: $1.value)) }
    }

    /// A value stays one token on one line: quoted when it has a space, a quote, `=` or a control character.
    static func quoted(_ value: String) -> String {
        let plain = value.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\"" && $0 != "=" && $0.value != 0x7f }
        guard !plain || value.isEmpty else { return value }
        return "\"" + value.unicodeScalars.map(escaped).joined() + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\n": "\\n"
        case "\t": "\\t"
        case _ where scalar.value < 0x20 || scalar.value == 0x7f: "\\u{\(String(scalar.value, radix: 16))}"
        default: String(scalar)
        }
    }

    /// One write(2) for each line, so lines of two threads never mix.
    public static func toStandardError() -> @Sendable (String) -> Void {
        let keepsPriority = isJournal(STDERR_FILENO)
        return { line in
            let text = keepsPriority ? line : String(line.drop { $0 != ">" }.dropFirst())
            let bytes = Array((text + "\n").utf8)
            _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
        }
    }

    /// `JOURNAL_STREAM` names the device and inode of the journal's socket (systemd.exec(5)); a redirected stderr is another.
    static func isJournal(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard let stream = Environment.value("JOURNAL_STREAM"), fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
