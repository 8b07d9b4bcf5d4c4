import EventLoop

// The interfaces every exported object has (D-Bus specification, "Standard Interfaces").
extension Interface {
    static func introspectable(_ xml: @escaping @Core () -> String) -> Interface {
        let introspect = Method("Introspect", returns: [Argument("xml", .string)]) { _ in [.string(xml())] }
        return Interface(Connection.introspectable, methods: [introspect])
    }

    static func properties(of interfaces: [Interface]) -> Interface {
        let signal = SignalDescription(
            "PropertiesChanged",
            [
                Argument("interface", .string), Argument("changed", .properties), Argument("invalidated", .array(.string)),
            ])
        return Interface(
            Connection.properties, methods: [get(interfaces), getAll(interfaces), set(interfaces)], signals: [signal])
    }

    private static func get(_ interfaces: [Interface]) -> Method {
        Method(
            "Get", [Argument("interface", .string), Argument("name", .string)], returns: [Argument("value", .variant)]
        ) { (call: IncomingCall) throws(DBusError) in
            let property = try interfaces.property(call.arguments)
            guard let value = property.get() else { throw .failed("\(property.name) is unknown") }
            return [.variant(value)]
        }
    }

    private static func getAll(_ interfaces: [Interface]) -> Method {
        Method(
            "GetAll", [Argument("interface", .string)], returns: [Argument("properties", .properties)]
        ) { (call: IncomingCall) throws(DBusError) in
            let name = call.arguments[0].asString ?? ""
            let matching = try interfaces.matching(name)
            return [
                .properties(
                    matching.flatMap(\.properties).compactMap { property in property.get().map { (property.name, $0) } })
            ]
        }
    }

    private static func set(_ interfaces: [Interface]) -> Method {
        Method(
            "Set", [Argument("interface", .string), Argument("name", .string), Argument("value", .variant)]
        ) { (call: IncomingCall) throws(DBusError) in
            let property = try interfaces.property(call.arguments)
            guard let set = property.set else { throw .readOnly("\(property.name) can't be set") }
            guard case .variant(let value) = call.arguments[2], value.type == property.type else {
                throw .invalidArguments("\(property.name) is of type \(property.type.text)")
            }
            try set(value)
            return []
        }
    }
}

extension [Interface] {
    /// An empty name asks for all (specification, "org.freedesktop.DBus.Properties").
    fileprivate func matching(_ name: String) throws(DBusError) -> [Interface] {
        let matching = filter { name.isEmpty || $0.name == name }
        guard name.isEmpty || !matching.isEmpty || name.hasPrefix("org.freedesktop.DBus.") else {
            throw .unknownInterface("no interface \(name)")
        }
        return matching
    }

    /// The property that `Get` and `Set` name by their first two arguments.
    fileprivate func property(_ arguments: [Value]) throws(DBusError) -> Property {
        let name = arguments[1].asString ?? ""
        let properties = try matching(arguments[0].asString ?? "").flatMap(\.properties)
        guard let property = properties.first(where: { $0.name == name }) else {
            throw .unknownProperty("no property \(name)")
        }
        return property
    }
}
