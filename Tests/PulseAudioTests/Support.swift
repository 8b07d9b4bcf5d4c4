import DemoKit
import EventLoop
import PulseAudio
import Testing

/// A connection that is ready, and everything it said since.
@Core
final class Listener {
    let context: PulseContext
    private(set) var states: [PulseContext.State] = []
    private(set) var changes: [(change: Change, time: Double)] = []

    init(_ server: String) {
        context = PulseContext(server: server, name: "test")
        context.onState = { [weak self] in self?.states.append($0) }
        context.onChange = { [weak self] in self?.changes.append(($0, MonotonicClock.now)) }
    }

    func ready() async throws { try await eventually("ready") { self.states.first == .ready } }

    func sinks() async throws -> [Sink] { try await ask { self.context.sinks($0) } }
    func sink(named name: String) async throws -> Sink {
        try #require(await sinks().first { $0.name == name })
    }
    func inputs() async throws -> [SinkInput] { try await ask { self.context.sinkInputs($0) } }
}

/// Turns an answer into a value.
@Core
func ask<Value: Sendable>(_ question: (@escaping PulseContext.Answer<Value>) -> Void) async throws -> Value {
    try await withCheckedContinuation { continuation in
        question { continuation.resume(returning: $0) }
    }.get()
}

/// Waits until `condition` holds, at most 10 s.
@Core
func eventually(_ what: Comment, _ condition: () async throws -> Bool) async throws {
    let deadline = MonotonicClock.now + 10
    while MonotonicClock.now < deadline {
        if try await condition() { return }
        try await Task.sleep(nanoseconds: 5_000_000)
    }
    Issue.record(what)
    throw DemoError("never: \(what)")
}

/// Plays a tone episode to `sink` with mpv until released.
func play(_ sound: PrivateSound, sink: String, seconds: Double = 60) throws -> ChildProcess {
    let episode = try ToneEpisode(number: 1, seconds: seconds)
    var environment = ChildProcess.environment
    environment["PULSE_SERVER"] = sound.server
    return try ChildProcess(
        [
            "mpv", "--no-config", "--no-terminal", "--vo=null", "--ao=pulse", "--audio-device=pulse/\(sink)",
            "--audio-fallback-to-null=no", episode.path,
        ], environment: environment)
}

/// Calls that block for a while run elsewhere: the core of all tests in this process is one.
@discardableResult
func off<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await Task.detached { try body() }.value
}
