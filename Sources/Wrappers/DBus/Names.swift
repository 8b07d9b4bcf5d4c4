import EventLoop
import Glibc

extension Connection {
    /// Tells the unique name of the owner of a well-known name, or nil: now, and whenever it changes.
    ///
    /// Never starts the service. A bus that refuses to answer counts as "no owner".
    public func watchOwner(of name: String, handler: @escaping @Core (String?) -> Void) -> Subscription {
        let watch = OwnerWatch(handler)
        let rule = MatchRule(
            sender: Self.bus, path: Self.busPath, interface: Self.bus, member: "NameOwnerChanged", argument0: name)
        let subscription = subscribe(rule) { signal in
            guard signal.arguments.count == 3, let owner = signal.arguments[2].asString else { return }
            watch.owner(owner.isEmpty ? nil : owner)
        }
        // After the rule: the bus answers in order, so no change falls between.
        call(MethodCall(Self.bus, Self.busPath, Self.bus, "GetNameOwner", [.string(name)])) { [weak subscription] result in
            guard subscription != nil else { return }
            watch.owner((try? result.get())?.first?.asString)
        }
        return subscription
    }

    /// Owns the name from now on, or fails with `.nameTaken`; never waits in the queue for it.
    public func requestName(_ name: String) async throws(DBusError) {
        let doNotQueue: UInt32 = 4
        let reply = try await ask("RequestName", [.string(name), .uint32(doNotQueue)])
        // 1: primary owner, 4: owned already (specification, "org.freedesktop.DBus.RequestName").
        if let code = reply.first?.asUInt32, code == 1 || code == 4 { return }
        throw .nameTaken(name: name, owner: await owner(of: name))
    }

    public func releaseName(_ name: String) async throws(DBusError) {
        _ = try await ask("ReleaseName", [.string(name)])
    }

    /// The process that owns a name; nil when it is gone or the bus won't tell.
    public func owner(of name: String) async -> DBusError.Owner? {
        guard let unique = try? await ask("GetNameOwner", [.string(name)]).first,
            let pid = try? await ask("GetConnectionUnixProcessID", [unique]).first?.asUInt32
        else { return nil }
        return DBusError.Owner(pid: pid, process: processName(pid))
    }

    private func ask(_ member: String, _ arguments: [Value]) async throws(DBusError) -> [Value] {
        try await call(MethodCall(Self.bus, Self.busPath, Self.bus, member, arguments))
    }
}

/// Drops repetitions: the signal and the first answer may tell the same.
@Core
private final class OwnerWatch {
    private let handler: @Core (String?) -> Void
    private var last: String??

    init(_ handler: @escaping @Core (String?) -> Void) { self.handler = handler }

    func owner(_ owner: String?) {
        guard last != .some(owner) else { return }
        last = .some(owner)
        handler(owner)
    }
}

/// The name of a process as `/proc/PID/comm` has it, proc(5); nil when it is gone.
private func processName(_ pid: UInt32) -> String? {
    let descriptor = open("/proc/\(pid)/comm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // 15 bytes and a newline at most.
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
}
