import EventLoop

/// A named argument, as introspection shows it.
public struct Argument: Hashable, Sendable {
    public var name: String
    public var type: ValueType

    public init(_ name: String, _ type: ValueType) {
        self.name = name
        self.type = type
    }
}

/// One interface of an exported object: what it answers and what it shows of itself.
public struct Interface: Sendable {
    public var name: String
    public var methods: [Method]
    public var properties: [Property]
    public var signals: [SignalDescription]

    public init(
        _ name: String, methods: [Method] = [], properties: [Property] = [], signals: [SignalDescription] = []
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }
}

/// A method. Arguments are of the declared types when the body sees them; a call with others gets `InvalidArgs`.
public struct Method: Sendable {
    /// Must be called once, now or later.
    public typealias Reply = @Core (Result<[Value], DBusError>) -> Void

    public var name: String
    public var arguments: [Argument]
    public var results: [Argument]
    let body: @Core (IncomingCall, @escaping Reply) -> Void

    /// Answers at once.
    public init(
        _ name: String, _ arguments: [Argument] = [], returns results: [Argument] = [],
        body: @escaping @Core (IncomingCall) throws(DBusError) -> [Value]
    ) {
        self.init(name, arguments, returns: results) { (call: IncomingCall, reply: Reply) in
            reply(Result { () throws(DBusError) in try body(call) })
        }
    }

    /// Answers when it has the answer.
    public init(
        _ name: String, _ arguments: [Argument] = [], returns results: [Argument] = [],
        replying body: @escaping @Core (IncomingCall, @escaping Reply) -> Void
    ) {
        self.name = name
        self.arguments = arguments
        self.results = results
        self.body = body
    }
}

/// A property, readable always, writable if it has `set`.
public struct Property: Sendable {
    /// What its changes are told by (annotation `org.freedesktop.DBus.Property.EmitsChangedSignal`).
    public enum Change: String, Hashable, Sendable {
        case value = "true"
        case invalidates, const
        case never = "false"
    }

    public var name: String
    public var type: ValueType
    public var change: Change
    let get: @Core () -> Value?
    let set: (@Core (Value) throws(DBusError) -> Void)?

    /// `get` must give a value of `type`, or nil while it is unknown: then `Get` fails and `GetAll` leaves it out. `set` gets
    /// a value of `type`.
    public init(
        _ name: String, _ type: ValueType, change: Change = .value, get: @escaping @Core () -> Value?,
        set: (@Core (Value) throws(DBusError) -> Void)? = nil
    ) {
        self.name = name
        self.type = type
        self.change = change
        self.get = get
        self.set = set
    }
}

public struct SignalDescription: Hashable, Sendable {
    public var name: String
    public var arguments: [Argument]

    public init(_ name: String, _ arguments: [Argument] = []) {
        self.name = name
        self.arguments = arguments
    }
}
