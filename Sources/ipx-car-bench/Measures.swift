import DBus
import DemoKit
import EventLoop

extension Stage {
    /// Milliseconds from exec to the player's name on the bus (B1).
    func timeToBus(_ subject: Subject) async throws -> Double? {
        guard let name = subject.busName else { return nil }
        let watch = try await NameWatch(bus.address, name)
        guard await watch.waitUntil(owned: false) != nil else { return nil }
        let start = MonotonicClock.now
        let process = try subject.start()
        defer { _ = process.terminate() }
        return await watch.waitUntil(owned: true).map { ($0 - start) * 1000 }
    }

    /// Milliseconds from exec to the first sound at the car's sink (B2).
    func timeToSound(_ subject: Subject) throws -> Double? {
        let capture = try MonitorCapture(server: sound.server, sink: sink)
        defer { _ = capture.stop() }
        let start = MonotonicClock.now
        let process = try subject.start()
        defer { _ = process.terminate() }
        guard capture.wait(20, until: { $0.firstSound(after: start) != nil }) else { return nil }
        return capture.recording.firstSound(after: start).map { ($0 - start) * 1000 }
    }

    /// MiB while it plays (B3): the largest of some looks after it was heard.
    func memory(_ subject: Subject, heardFor seconds: Double) throws -> Double? {
        let capture = try MonitorCapture(server: sound.server, sink: sink)
        let start = MonotonicClock.now
        let process = try subject.start()
        defer { _ = process.terminate() }
        guard capture.wait(20 + seconds, until: { $0.soundSeconds(from: start) > seconds }) else { return nil }
        _ = capture.stop()
        return process.pss
    }
}

/// When a bus name gets or loses its owner, on the clock of the captures.
final class NameWatch: Sendable {
    private let connection: Connection
    private let events: AsyncStream<(isOwned: Bool, time: Double)>
    private let subscription: Subscription

    @Core
    init(_ address: String, _ name: String) async throws(DBusError) {
        connection = try await Connection.open(.address(address))
        let (stream, continuation) = AsyncStream.makeStream(of: (isOwned: Bool, time: Double).self)
        events = stream
        subscription = connection.watchOwner(of: name) { owner in
            continuation.yield((owner != nil, MonotonicClock.now))
        }
    }

    /// The first moment at which the name is (not) owned; nil after a generous while.
    func waitUntil(owned: Bool) async -> Double? {
        let events = events
        return await withTaskGroup(of: Double?.self) { group in
            group.addTask {
                for await event in events where event.isOwned == owned { return event.time }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(15))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
