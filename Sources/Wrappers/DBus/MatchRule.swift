/// Which signals a subscription wants (D-Bus specification, "Match Rules"). Everything left out matches all.
public struct MatchRule: Hashable, Sendable {
    /// A unique name, or the bus' own. Not a well-known name: signals carry the unique one, so watch the owner of the name
    /// and subscribe to it.
    public var sender: String?
    public var path: ObjectPath?
    /// This path and everything below.
    public var pathNamespace: ObjectPath?
    public var interface: String?
    public var member: String?
    /// The first argument, a string.
    public var argument0: String?

    public init(
        sender: String? = nil, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil, interface: String? = nil,
        member: String? = nil, argument0: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.argument0 = argument0
    }

    /// The rule as the bus wants it. An apostrophe in a value is written `'\''`.
    var text: String {
        let parts: [(String, String?)] = [
            ("type", "signal"), ("sender", sender), ("path", path?.text), ("path_namespace", pathNamespace?.text),
            ("interface", interface), ("member", member), ("arg0", argument0),
        ]
        return parts.compactMap { key, value in value.map { "\(key)='\(Self.escape($0))'" } }.joined(separator: ",")
    }

    /// Asked for every signal: the bus also delivers what other rules of ours asked for, and what was sent to us directly.
    func matches(_ signal: BusSignal) -> Bool {
        (sender ?? signal.sender) == signal.sender
            && (path ?? signal.path) == signal.path
            && (pathNamespace?.contains(signal.path) ?? true)
            && (interface ?? signal.interface) == signal.interface
            && (member ?? signal.member) == signal.member
            && (argument0 == nil || argument0 == signal.arguments.first?.asString)
    }

    private static func escape(_ text: String) -> String {
        text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    }
}
