import CDBus

/// A method call to another connection.
public struct MethodCall: Hashable, Sendable {
    /// A unique or well-known name.
    public var destination: String
    public var path: ObjectPath
    public var interface: String
    public var member: String
    public var arguments: [Value]

    public init(_ destination: String, _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = [])
    {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// A method call that came in.
public struct IncomingCall: Hashable, Sendable {
    /// Who calls, as the bus vouches.
    public var sender: String
    public var path: ObjectPath
    /// May be left out by the caller.
    public var interface: String?
    public var member: String
    public var arguments: [Value]
}

/// A signal, on its way out or in.
public struct BusSignal: Hashable, Sendable {
    public var path: ObjectPath
    public var interface: String
    public var member: String
    public var arguments: [Value]
    /// Filled in by the bus; nil on the way out.
    public internal(set) var sender: String?

    public init(_ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = []) {
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// A reference to a libdbus message.
///
/// `@unchecked`: libdbus counts references atomically, and a message is not changed after it was made here.
final class Message: @unchecked Sendable {
    let raw: OpaquePointer

    /// Takes over the reference.
    init(owning raw: OpaquePointer) { self.raw = raw }

    /// Adds a reference.
    init(_ raw: OpaquePointer) {
        self.raw = raw
        dbus_message_ref(raw)
    }

    deinit { dbus_message_unref(raw) }

    var kind: Int32 { dbus_message_get_type(raw) }
    var sender: String { text(dbus_message_get_sender(raw)) }
    var path: ObjectPath? { ObjectPath(text(dbus_message_get_path(raw))) }
    var interface: String? { dbus_message_get_interface(raw).map { String(cString: $0) } }
    var member: String { text(dbus_message_get_member(raw)) }
    var replySerial: UInt32 { dbus_message_get_reply_serial(raw) }
    var wantsReply: Bool { dbus_message_get_no_reply(raw) == 0 }

    /// The error reply it is, if it is one.
    var error: DBusError? {
        guard kind == DBUS_MESSAGE_TYPE_ERROR else { return nil }
        let first = (try? arguments())?.first?.asString
        return .error(name: text(dbus_message_get_error_name(raw)), message: first ?? "")
    }

    /// The body; fails only on a type that is left out here (a file descriptor).
    func arguments() throws(DBusError) -> [Value] {
        let signature = text(dbus_message_get_signature(raw))
        guard let types = Signature(signature)?.types else { throw .invalidArguments("arguments of type \(signature)") }
        var reader = ValueReader(message: self)
        return try reader.read(types)
    }

    /// `reply`: whether the caller wants one; a service is never started by our calls (`NO_AUTO_START`).
    static func call(_ call: MethodCall) throws(DBusError) -> Message {
        try check(call.interface, dbus_validate_interface)
        try check(call.member, dbus_validate_member)
        try check(call.destination, dbus_validate_bus_name)
        try ValueCheck.check(call.arguments)
        let message = try made(dbus_message_new_method_call(call.destination, call.path.text, call.interface, call.member))
        dbus_message_set_auto_start(message.raw, 0)
        return try message.appending(call.arguments)
    }

    static func signal(_ signal: BusSignal) throws(DBusError) -> Message {
        try check(signal.interface, dbus_validate_interface)
        try check(signal.member, dbus_validate_member)
        try ValueCheck.check(signal.arguments)
        return try made(dbus_message_new_signal(signal.path.text, signal.interface, signal.member)).appending(
            signal.arguments)
    }

    func reply(_ arguments: [Value]) throws(DBusError) -> Message {
        try ValueCheck.check(arguments)
        return try Message.made(dbus_message_new_method_return(raw)).appending(arguments)
    }

    func reply(_ error: DBusError) throws(DBusError) -> Message {
        let message: String
        if case .error(_, let words) = error { message = words } else { message = error.description }
        try Message.check(error.name, dbus_validate_error_name)
        let clean = message.filter { $0 != "\0" }
        return try Message.made(dbus_message_new_error(raw, error.name, clean))
    }

    private func appending(_ arguments: [Value]) throws(DBusError) -> Message {
        var writer = ValueWriter(message: self)
        try writer.append(arguments)
        return self
    }

    /// nil is what libdbus returns when memory is out.
    private static func made(_ raw: OpaquePointer?) throws(DBusError) -> Message {
        guard let raw else { throw .standard("NoMemory", "out of memory") }
        return Message(owning: raw)
    }

    private typealias Validator = (UnsafePointer<CChar>?, UnsafeMutablePointer<CDBus.DBusError>?) -> dbus_bool_t

    private static func check(_ name: String, _ isValid: Validator) throws(DBusError) {
        guard !name.utf8.contains(0), isValid(name, nil) != 0 else { throw .invalid("not a valid name: \(name)") }
    }
}
