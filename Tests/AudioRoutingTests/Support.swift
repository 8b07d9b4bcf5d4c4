import AudioRouting
import DemoKit
import EventLoop
import Playback
import Testing

let car = "AA:BB:CC:DD:EE:FF"
let otherCar = "11:22:33:44:55:66"

/// The real adapter on a real private server, and all it told.
@Core
final class Stage {
    let sound: PrivateSound
    let routing: AudioRouting
    private(set) var outputs: [(output: Output?, time: Double)] = []
    private(set) var volumeChanges = 0
    private(set) var log: [String] = []
    /// What a store would have kept.
    private(set) var memory: [String: Int]

    init(
        _ sound: PrivateSound, fallback: String? = nil, memory: [String: Int] = [:], process: Int32? = nil,
        patience: Double = 5
    ) {
        self.sound = sound
        self.memory = memory
        let box = Memory(memory)
        var settings = AudioRouting.Settings(
            server: sound.server, fallback: fallback, rememberedVolume: { box.volumes[$0] },
            onVolume: { box.volumes[$0] = $1 }, now: { MonotonicClock.now })
        if let process { settings.process = process }
        settings.patience = patience
        var lines: (@Core (String) -> Void)?
        routing = AudioRouting(settings) { lines?($0) }
        box.changed = { [weak self] in self?.memory = $0 }
        lines = { [weak self] in self?.log.append($0) }
        routing.onChange = { [weak self] in self?.outputs.append(($0, MonotonicClock.now)) }
        routing.onVolumeChange = { [weak self] in self?.volumeChanges += 1 }
        routing.start()
    }

    func output(is wanted: Output?) async throws {
        try await eventually("output \(String(describing: wanted)), log \(log)") { self.routing.current == wanted }
    }

    /// Percent, as the server says.
    func sinkVolume(_ sink: String) throws -> Int {
        let text = try sound.control("get-sink-volume", sink)
        let percent = try #require(text.split(separator: "/").dropFirst().first)
        return try #require(Int(percent.filter(\.isNumber)))
    }
}

@Core
private final class Memory {
    var volumes: [String: Int] { didSet { changed?(volumes) } }
    var changed: (@Core ([String: Int]) -> Void)?
    init(_ volumes: [String: Int]) { self.volumes = volumes }
}

/// Waits until `condition` holds, at most 10 s.
@Core
func eventually(_ what: Comment, _ condition: () throws -> Bool) async throws {
    let deadline = MonotonicClock.now + 10
    while MonotonicClock.now < deadline {
        if try condition() { return }
        try await Task.sleep(nanoseconds: 5_000_000)
    }
    Issue.record(what)
    throw DemoError("never: \(what)")
}

/// Sound of an episode on `sink`, by a player of its own process.
func play(_ sound: PrivateSound, sink: String) throws -> ChildProcess {
    let episode = try ToneEpisode(number: 2, seconds: 60)
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
