import EventLoop
import Foundation
import Testing

@testable import Linux

/// Values that arrived on the core, awaited by a condition.
@Core
final class Arrivals<Value: Sendable> {
    private(set) var values: [Value] = []
    private var waiting: (count: Int, CheckedContinuation<Void, Never>)?

    func append(_ value: Value) {
        values.append(value)
        guard let (count, continuation) = waiting, values.count >= count else { return }
        waiting = nil
        continuation.resume()
    }

    func first(_ count: Int) async -> [Value] {
        if values.count < count { await withCheckedContinuation { waiting = (count, $0) } }
        return values
    }
}

@Suite("Events on the core", .serialized, .timeLimit(.minutes(1)))
struct EventTests {
    @Test("SIGHUP, SIGINT and SIGTERM arrive on the core and end nothing; a broken pipe is only an error")
    @Core func signals() async throws {
        let arrivals = Arrivals<Signal>()
        let signals = try Signals { arrivals.append($0) }
        for signal in [Signal.hangUp, .interrupt, .terminate] {
            let before = arrivals.values.count
            kill(getpid(), signal.rawValue)
            _ = await arrivals.first(before + 1)
        }
        kill(getpid(), SIGPIPE)
        #expect(arrivals.values == [.hangUp, .interrupt, .terminate])
        withExtendedLifetime(signals) {}
    }

    @Test("a timer fires once at its moment, not before")
    @Core func timer() async {
        let arrivals = Arrivals<Int64>()
        let timer = CoreTimer { arrivals.append(Clocks.monotonic()) }
        let due = Clocks.monotonic() + 30_000_000
        timer.set(at: due)
        let fired = await arrivals.first(1)
        #expect(fired[0] >= due)
        #expect(fired.count == 1)
    }

    @Test("a later wish replaces the former; a withdrawn one never comes")
    @Core func replaced() async {
        let arrivals = Arrivals<String>()
        let withdrawn = CoreTimer { arrivals.append("withdrawn") }
        let moved = CoreTimer { arrivals.append("moved") }
        let now = Clocks.monotonic()
        withdrawn.set(at: now + 1_000_000)
        moved.set(at: now + 1_000_000)
        withdrawn.set(at: nil)
        moved.set(at: now + 40_000_000)
        let last = CoreTimer { arrivals.append("last") }
        last.set(at: now + 60_000_000)
        #expect(await arrivals.first(2) == ["moved", "last"])
        #expect(Clocks.monotonic() >= now + 60_000_000)
    }

    @Test("a moment that has passed fires soon, and the timer can be set again from its own action")
    @Core func past() async {
        let arrivals = Arrivals<Int>()
        var timer: CoreTimer?
        timer = CoreTimer {
            arrivals.append(1)
            if arrivals.values.count < 3 { timer?.set(at: Clocks.monotonic() - 1000 - Int64(arrivals.values.count)) }
        }
        timer?.set(at: 1)
        #expect(await arrivals.first(3).count == 3)
        timer = nil
    }
}
