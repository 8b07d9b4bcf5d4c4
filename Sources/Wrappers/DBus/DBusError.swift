import CDBus

/// Everything that can go wrong on a bus. A lost connection is a case of its own, since it is the one that is waited out.
public enum DBusError: Error, Hashable, Sendable {
    /// An error reply, or libdbus' own refusal: an error name (`org.freedesktop.DBus.Error.AccessDenied`) and a text for a person.
    case error(name: String, message: String)
    /// No reply within the call's time; the callee may still act on it.
    case timedOut
    /// The connection was lost, or closed by us.
    case disconnected
    /// Refused here, before it reached the bus: libdbus would abort the process on it.
    case invalid(String)
    /// The name is owned by another connection; `owner` is its process, if the bus tells.
    case nameTaken(name: String, owner: Owner?)

    /// The process behind a connection.
    public struct Owner: Hashable, Sendable {
        public var pid: UInt32
        /// `/proc/PID/comm`, nil when it can't be read.
        public var process: String?

        public init(pid: UInt32, process: String?) {
            self.pid = pid
            self.process = process
        }
    }
}

extension DBusError {
    static let prefix = "org.freedesktop.DBus.Error."

    /// One of the specification's own errors ("org.freedesktop.DBus.Error." + `name`).
    static func standard(_ name: String, _ message: String) -> DBusError { .error(name: prefix + name, message: message) }

    public static func failed(_ message: String) -> DBusError { standard("Failed", message) }
    public static func notSupported(_ message: String) -> DBusError { standard("NotSupported", message) }
    public static func accessDenied(_ message: String) -> DBusError { standard("AccessDenied", message) }
    public static func invalidArguments(_ message: String) -> DBusError { standard("InvalidArgs", message) }
    static func unknownMethod(_ message: String) -> DBusError { standard("UnknownMethod", message) }
    static func unknownObject(_ message: String) -> DBusError { standard("UnknownObject", message) }
    static func unknownInterface(_ message: String) -> DBusError { standard("UnknownInterface", message) }
    static func unknownProperty(_ message: String) -> DBusError { standard("UnknownProperty", message) }
    static func readOnly(_ message: String) -> DBusError { standard("PropertyReadOnly", message) }

    /// The error name this is, or would be, sent as.
    public var name: String {
        switch self {
        case .error(let name, _): name
        case .timedOut: Self.prefix + "NoReply"
        case .disconnected: Self.prefix + "Disconnected"
        case .invalid: Self.prefix + "InvalidArgs"
        case .nameTaken: Self.prefix + "AddressInUse"
        }
    }
}

extension DBusError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .error(let name, let message): message.isEmpty ? name : "\(message) (\(name))"
        case .timedOut: "no reply in time"
        case .disconnected: "not connected to the bus"
        case .invalid(let why): why
        case .nameTaken(let name, let owner?): "\(name) is taken by \(owner.process ?? "a process") (pid \(owner.pid))"
        case .nameTaken(let name, nil): "\(name) is taken"
        }
    }
}

/// The funnel for libdbus' error convention: `body` gets an initialised error and returns nil (or false) when it is set.
func checked<Result>(_ body: (UnsafeMutablePointer<CDBus.DBusError>) -> Result) throws(DBusError) -> Result {
    var error = CDBus.DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    let result = body(&error)
    guard dbus_error_is_set(&error) != 0 else { return result }
    throw .error(name: text(error.name), message: text(error.message))
}

/// A C string as text; nil is empty. libdbus' own strings are UTF-8 already, others are repaired.
func text(_ c: UnsafePointer<CChar>?) -> String { c.map { String(cString: $0) } ?? "" }
