import DemoKit
import EventLoop
import Foundation
import Library
import Playback
import PortFakes

@testable import Engine

/// An engine, the bytes it plays, and all that it reported.
@Core
final class EngineStage {
    enum Kind: String, CaseIterable, Sendable { case fake, real }

    struct Told: Hashable, Sendable {
        var generation: Int
        var event: EngineEvent
        /// Seconds of the monotonic clock.
        var at: Double
    }

    let engine: any PlaybackEngine
    let media = FakeMediaSource()
    let lines = Lines()
    private(set) var told: [Told] = []
    private var generation = 0

    /// The real one plays in real time to nowhere.
    init(_ kind: Kind) {
        engine =
            switch kind {
            case .fake: FakeEngine(sink: "car", clock: { Self.now })
            case .real: Engine(media: media, output: .null, clock: { Self.now }, log: { [lines] in lines.add($0) })
            }
        engine.setOutput(sink: "car")
        listen()
    }

    init(output: EngineOutput) {
        engine = Engine(media: media, output: output, clock: { Self.now }, log: { [lines] in lines.add($0) })
        listen()
    }

    // swift-format-ignore: NeverForceUnwrap
    var real: Engine { engine as! Engine }
    static var now: Instant { Instant(nanoseconds: Int64(MonotonicClock.now * 1e9)) }

    private func listen() {
        engine.onEvent = { [weak self] generation, event in
            self?.told.append(Told(generation: generation.number, event: event, at: MonotonicClock.now))
        }
    }

    /// Loads the sound as an episode of its own; its generation.
    @discardableResult
    func load(_ sound: Sound, from start: Seconds = 0, paused: Bool = false, rate: Double = 1) throws -> Int {
        generation += 1
        let id = EpisodeID(server: "s", feed: "f", guid: sound.name)
        media.set(try sound.bytes(), for: id)
        let episode = Episode(id: id, title: sound.name, feedTitle: "f", duration: sound.seconds)
        engine.load(
            Load(
                generation: Generation(generation), episode: episode, enclosure: Enclosure(number: 1, url: "/e"),
                start: start, rate: rate, isPaused: paused))
        return generation
    }

    func events(_ generation: Int) -> [EngineEvent] { told.filter { $0.generation == generation }.map(\.event) }

    // swift-format-ignore: NeverForceUnwrap
    var reader: FakeReader { media.readers.last! }
}

/// What to listen for.
extension EngineStage {
    func reached(_ generation: Int, _ count: Int = 1) async throws -> Seconds {
        try await wait("reached") { $0.places(generation).count >= count }
        return places(generation)[count - 1]
    }

    func places(_ generation: Int) -> [Seconds] {
        events(generation).compactMap { if case .reached(let place) = $0 { place } else { nil } }
    }

    func stalls(_ generation: Int) -> [Seconds] {
        events(generation).compactMap { if case .stalled(let place) = $0 { place } else { nil } }
    }

    func flows(_ generation: Int) -> [Seconds] {
        events(generation).compactMap { if case .flowing(let place) = $0 { place } else { nil } }
    }

    func failures(_ generation: Int) -> [Failure] {
        events(generation).compactMap { if case .failed(let failure) = $0 { failure } else { nil } }
    }

    /// Asks, and waits for the answer.
    func position(_ generation: Int) async throws -> (place: Seconds, at: Instant) {
        let before = answers(generation).count
        engine.askPosition()
        try await wait("a position") { $0.answers(generation).count > before }
        return answers(generation)[before]
    }

    func answers(_ generation: Int) -> [(place: Seconds, at: Instant)] {
        events(generation).compactMap { if case .position(let place, let at) = $0 { (place, at) } else { nil } }
    }

    /// Looks every few milliseconds; throws after `limit` seconds.
    func wait(_ what: String, _ limit: Double = 10, _ condition: (EngineStage) throws -> Bool) async throws {
        let deadline = MonotonicClock.now + limit
        while try !condition(self) {
            guard MonotonicClock.now < deadline else { throw Missed(what: what, told: told, log: lines.all) }
            try await Task.sleep(for: .milliseconds(3))
        }
    }

    /// Playing time passes: until the engine says that it is past `place`.
    func played(_ generation: Int, past place: Seconds) async throws {
        let deadline = MonotonicClock.now + 10
        while try await position(generation).place < place {
            guard MonotonicClock.now < deadline else { throw Missed(what: "\(place) s", told: told, log: lines.all) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

struct Missed: Error, CustomStringConvertible {
    var what: String
    var told: [EngineStage.Told]
    var log: [String]
    var description: String { "never came: \(what); told: \(told.suffix(12)); log: \(log.suffix(12))" }
}

@Core
final class Lines {
    private(set) var all: [String] = []
    func add(_ line: String) { all.append(line) }
}
