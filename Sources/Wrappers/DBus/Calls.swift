import CDBus
import Dispatch
import EventLoop

/// A call that waits for its reply.
struct PendingCall {
    var then: @Core (Result<[Value], DBusError>) -> Void
    var deadline: any DispatchSourceTimer
}

extension Connection {
    /// libdbus' own default, seconds.
    public nonisolated static let usualTimeout: Double = 25

    /// Calls a method. `then` runs once, in order with signals: what the callee signalled before its reply is delivered before.
    public func call(
        _ call: MethodCall, timeout: Double = usualTimeout, then: @escaping @Core (Result<[Value], DBusError>) -> Void
    ) {
        do {
            let serial = try link.send(try Message.call(call))
            calls[serial] = PendingCall(then: then, deadline: deadline(of: serial, after: timeout))
        } catch {
            // Never from inside the call, so that a caller has one order of things to think of.
            Core.run { then(.failure(error)) }
        }
    }

    /// The same, awaited. Signals that came right after the reply may be delivered before the caller goes on.
    public func call(_ call: MethodCall, timeout: Double = usualTimeout) async throws(DBusError) -> [Value] {
        let result = await withCheckedContinuation { continuation in
            self.call(call, timeout: timeout) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    func finishCall(_ message: Message) {
        guard let call = calls.removeValue(forKey: message.replySerial) else { return }
        call.deadline.cancel()
        if let error = message.error { return call.then(.failure(error)) }
        call.then(Result { () throws(DBusError) in try message.arguments() })
    }

    func failCalls() {
        let failed = calls
        calls = [:]
        for (_, call) in failed.sorted(by: { $0.key < $1.key }) {
            call.deadline.cancel()
            call.then(.failure(.disconnected))
        }
    }

    private func deadline(of serial: UInt32, after seconds: Double) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: Core.queue)
        timer.schedule(deadline: .now() + seconds, leeway: .milliseconds(10))
        timer.setEventHandler { [weak self] in
            Core.assumeOnCore {
                guard let call = self?.calls.removeValue(forKey: serial) else { return }
                call.deadline.cancel()
                call.then(.failure(.timedOut))
            }
        }
        timer.resume()
        return timer
    }
}
