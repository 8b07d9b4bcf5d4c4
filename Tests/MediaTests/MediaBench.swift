import DemoKit
import Dispatch
import EventLoop
import HTTPClient
import Library
import Playback
import Synchronization
import Testing

@testable import Media

/// A server with one episode of known bytes, a cache folder, and a library between them.
final class MediaBench: Sendable {
    static let token = "the-token"

    let server: DemoServer
    let folder: TemporaryFolder
    let truth: [UInt8]
    let client = HTTPClient(.init(userAgent: "ipx-car/test"))
    let lines = Mutex<[String]>([])

    init(size: Int = 3_000_000, enclosure: DemoEnclosure? = nil, isStarted: Bool = true) throws {
        truth = Self.bytes(size)
        let enclosure = enclosure ?? DemoEnclosure(name: "f1/episode.mp3", content: .bytes(truth))
        let episode = DemoEpisode(guid: "g1", title: "One", enclosures: [enclosure])
        server = try DemoServer(
            library: DemoLibrary(shows: [DemoShow(id: "f1", title: "Show", episodes: [episode])]), token: Self.token)
        folder = try TemporaryFolder("media")
        if isStarted { try server.start() }
    }

    deinit {
        server.stop()
        folder.remove()
    }

    /// Begins like an mp3; the rest is noise from a fixed seed, so that every place is told from every other.
    static func bytes(_ count: Int) -> [UInt8] {
        var noise = Noise(seed: 7)
        var bytes = Array("ID3\u{4}\u{0}".utf8)
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: noise.next()) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }

    var log: String { lines.withLock { $0.joined(separator: "\n") } }

    /// Fast enough for a test, slow enough to see an order.
    static var timings: FetchTimings {
        var timings = FetchTimings()
        timings.connect = .seconds(2)
        timings.stall = .milliseconds(400)
        timings.firstRetry = 0.05
        timings.longestRetry = 0.2
        timings.recordEvery = .milliseconds(20)
        timings.progressEvery = .milliseconds(10)
        timings.nearby = 200_000
        return timings
    }

    @Core
    func library(
        _ records: any PartRecords = TransientPartRecords(), timings: FetchTimings = MediaBench.timings,
        token: String? = MediaBench.token,
        refresh: @escaping @Core @Sendable (EpisodeID, Enclosure) async -> Enclosure? = { _, _ in nil }
    ) throws -> MediaLibrary {
        let address = server.origin
        return try MediaLibrary(
            cacheDirectory: folder.path, client: client, records: records, timings: timings, chance: { 1 },
            request: { enclosure in
                guard let base = HTTPURL(address), let url = base.resolving(enclosure.url) else { return nil }
                return HTTPRequest(url: url.string, credentials: Credentials(origin: base.origin, bearer: token))
            }, refresh: refresh,
            log: { [weak self] line in self?.lines.withLock { $0.append(line) } })
    }

    func load(_ url: String = "/media/f1/episode.mp3", guid: String = "g1", enclosure: Int = 0, generation: Int = 1)
        -> Load
    {
        let enclosure = Enclosure(number: enclosure, url: url)
        let episode = Episode(
            id: EpisodeID(server: "s", feed: "f1", guid: guid), title: "One", feedTitle: "Show", enclosures: [enclosure])
        return Load(
            generation: Generation(generation), episode: episode, enclosure: enclosure, start: 0, rate: 1, isPaused: false)
    }

    func key(guid: String = "g1", enclosure: Int = 0) -> MediaKey {
        MediaKey(EpisodeID(server: "s", feed: "f1", guid: guid), enclosure: enclosure)
    }

    /// Episodes `g1`…, each with its own bytes, for those who keep several.
    static func shelf(_ count: Int, size: Int) -> [DemoEpisode] {
        (1...count).map { number in
            DemoEpisode(
                guid: "g\(number)", title: "\(number)",
                enclosures: [DemoEnclosure(name: "f1/\(number).mp3", content: .bytes(Array(bytes(size + number))))])
        }
    }

    var keptPath: String { folder.path + "/media/" + key().fileName }
    var partPath: String { folder.path + "/media/" + key().partName }

    var mediaRequests: [LoggedRequest] { server.log.requests("/media/*") }
    var ranges: [String] { mediaRequests.map { $0.range ?? "none" } }
}

/// SplitMix64: the same numbers in every run.
struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}

/// Runs blocking calls as the engine does: on a thread that is nobody else's.
func onEngineThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
        DispatchQueue(label: "engine").async { continuation.resume(returning: body()) }
    }
}

/// Reads from `offset` to the end, or to what stops it.
func readOn(_ reader: any EpisodeReader, from offset: Int64 = 0, upTo limit: Int = .max) async -> (
    bytes: [UInt8], last: ReadOutcome
) {
    await onEngineThread {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let outcome = reader.read(at: offset + Int64(bytes.count), upTo: min(65536, limit - bytes.count))
            guard case .bytes(let more) = outcome else { return (bytes, outcome) }
            bytes += more
        }
        return (bytes, .end)
    }
}

/// Polls until it holds; false when `seconds` passed without.
func until(_ seconds: Double = 5, _ holds: @Sendable () async -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
        if await holds() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return await holds()
}
