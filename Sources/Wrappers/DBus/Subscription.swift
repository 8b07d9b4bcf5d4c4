import EventLoop

/// A wish for signals, until `cancel()` or the last reference goes.
public final class Subscription: Sendable {
    typealias ID = Int

    /// What the connection keeps of it.
    struct Record {
        var rule: MatchRule
        var handler: @Core (BusSignal) -> Void
    }

    private let remove: @Core @Sendable () -> Void

    init(remove: @escaping @Core @Sendable () -> Void) { self.remove = remove }

    deinit { Core.run(remove) }

    /// Nothing is delivered afterwards. More than once is fine.
    @Core
    public func cancel() { remove() }
}

extension Connection {
    static let bus = "org.freedesktop.DBus"
    static let busPath: ObjectPath = "/org/freedesktop/DBus"

    /// Delivers the signals of this rule. `then` says when the bus has taken it, or why it refused.
    public func subscribe(
        _ rule: MatchRule, then: (@Core (DBusError?) -> Void)? = nil, handler: @escaping @Core (BusSignal) -> Void
    ) -> Subscription {
        lastSubscription += 1
        let id = lastSubscription
        subscriptions[id] = Subscription.Record(rule: rule, handler: handler)
        call(MethodCall(Self.bus, Self.busPath, Self.bus, "AddMatch", [.string(rule.text)])) { result in
            if case .failure(let error) = result { then?(error) } else { then?(nil) }
        }
        return Subscription { [weak self] in self?.unsubscribe(id) }
    }

    private func unsubscribe(_ id: Subscription.ID) {
        guard let record = subscriptions.removeValue(forKey: id), isConnected else { return }
        call(MethodCall(Self.bus, Self.busPath, Self.bus, "RemoveMatch", [.string(record.rule.text)])) { _ in }
    }

    func deliver(_ message: Message) {
        guard let path = message.path, let interface = message.interface, let arguments = try? message.arguments() else {
            return
        }
        var signal = BusSignal(path, interface, message.member, arguments)
        signal.sender = message.sender
        // In the order they were made; one that is cancelled by an earlier handler gets nothing.
        for id in subscriptions.keys.sorted() {
            guard let record = subscriptions[id], record.rule.matches(signal) else { continue }
            record.handler(signal)
        }
    }

    /// Sends a signal to everyone who wants it.
    public func emit(_ signal: BusSignal) throws(DBusError) { _ = try link.send(try Message.signal(signal)) }
}
