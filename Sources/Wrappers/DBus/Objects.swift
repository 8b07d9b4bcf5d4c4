import CDBus
import EventLoop

// Exported objects. Introspectable and Properties are answered for all of them, Peer by libdbus.
extension Connection {
    nonisolated static let introspectable = "org.freedesktop.DBus.Introspectable"
    nonisolated static let properties = "org.freedesktop.DBus.Properties"

    /// Answers calls to this path from now on; replaces what was there.
    public func export(_ interfaces: [Interface], at path: ObjectPath) { objects[path] = interfaces }

    public func unexport(_ path: ObjectPath) { objects[path] = nil }

    /// `org.freedesktop.DBus.Properties.PropertiesChanged`, in this order.
    public func emitPropertiesChanged(
        _ path: ObjectPath, _ interface: String, _ changed: [(String, Value)], invalidated: [String] = []
    ) throws(DBusError) {
        let arguments: [Value] = [.string(interface), .properties(changed), .strings(invalidated)]
        try emit(BusSignal(path, Self.properties, "PropertiesChanged", arguments))
    }

    func answer(_ message: Message) {
        let reply: Method.Reply = { [weak self] result in
            guard message.wantsReply else { return }
            self?.send(result, to: message)
        }
        do throws(DBusError) {
            guard let path = message.path else { throw DBusError.unknownObject("no path") }
            let call = IncomingCall(
                sender: message.sender, path: path, interface: message.interface, member: message.member,
                arguments: try message.arguments())
            try route(call, reply)
        } catch {
            reply(.failure(error))
        }
    }

    private func send(_ result: Result<[Value], DBusError>, to message: Message) {
        do {
            _ = try link.send(try message.reply(try result.get()))
        } catch {
            // A reply that can't be sent becomes an error, so that the caller does not wait in vain.
            if let failure = try? message.reply(error) { _ = try? link.send(failure) }
        }
    }

    private func route(_ call: IncomingCall, _ reply: @escaping Method.Reply) throws(DBusError) {
        let interfaces = objects[call.path]
        let children = childNames(of: call.path)
        guard interfaces != nil || !children.isEmpty else { throw .unknownObject("no object at \(call.path)") }
        let all = (interfaces ?? []) + standardInterfaces(at: call.path, interfaces ?? [], children)
        guard call.interface == nil || all.contains(where: { $0.name == call.interface }) else {
            throw .unknownInterface("no interface \(call.interface ?? "") at \(call.path)")
        }
        for interface in all where call.interface == nil || call.interface == interface.name {
            guard let method = interface.methods.first(where: { $0.name == call.member }) else { continue }
            return try run(method, call, reply)
        }
        throw .unknownMethod("no method \(call.member) in \(call.interface ?? "any interface") at \(call.path)")
    }

    private func run(_ method: Method, _ call: IncomingCall, _ reply: @escaping Method.Reply) throws(DBusError) {
        guard call.arguments.map(\.type) == method.arguments.map(\.type) else {
            let got = Signature(call.arguments.map(\.type)).text
            throw .invalidArguments("\(method.name) takes (\(Signature(method.arguments.map(\.type)).text)), not (\(got))")
        }
        let expected = method.results.map(\.type)
        method.body(call) { result in
            guard case .success(let values) = result, values.map(\.type) != expected else { return reply(result) }
            reply(.failure(.failed("\(method.name) answered (\(Signature(values.map(\.type)).text))")))
        }
    }

    private func standardInterfaces(at path: ObjectPath, _ interfaces: [Interface], _ children: [String]) -> [Interface] {
        let described = interfaces + [Interface.introspectable { "" }, .properties(of: [])]
        let introspection = Interface.introspectable { introspectionXML(described, children: children) }
        return [introspection] + (interfaces.isEmpty ? [] : [.properties(of: interfaces)])
    }

    /// First elements of the exported paths below this one.
    private func childNames(of path: ObjectPath) -> [String] {
        let names = objects.keys.filter { $0 != path && $0.text.hasPrefix(path.below) }.compactMap {
            $0.text.dropFirst(path.below.count).split(separator: "/").first.map(String.init)
        }
        return Set(names).sorted()
    }
}
