import DemoKit
import EventLoop
import Glibc
import Library
import Playback
import Testing

@testable import Media

@Suite("Streaming an episode", .timeLimit(.minutes(1)))
struct StreamingTests {
    @Test("streamed to its end: the engine reads every byte, then the episode is a kept one")
    func streamedIsKept() async throws {
        let bench = try MediaBench()
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        #expect(await onEngineThread { reader.size() } == 3_000_000)
        let (bytes, last) = await readOn(reader)
        #expect(bytes == bench.truth && last == .end)
        #expect(reader.hasReadToEnd && reader.failure == nil)
        #expect(await until { await library.isKept(bench.key()) })
        #expect(bench.ranges == ["bytes=0-"])
        #expect(bench.mediaRequests.allSatisfy { $0.credential == .bearer(matches: true) })
        #expect(access(bench.partPath, F_OK) != 0)
    }

    @Test("a kept episode plays from the disk alone, without network")
    func keptNeedsNoNetwork() async throws {
        let bench = try MediaBench(size: 300_000)
        let library = try await bench.library()
        _ = await readOn(await library.open(bench.load()))
        #expect(await until { await library.isKept(bench.key()) })
        bench.server.stop()
        bench.server.log.clear()
        let again = await library.open(bench.load())
        #expect(await readOn(again).bytes == bench.truth)
        #expect(again.hasReadToEnd)
        #expect(bench.mediaRequests.isEmpty)
    }

    @Test("OFF-16 a kept file that vanished is fetched again")
    func vanished() async throws {
        let bench = try MediaBench(size: 300_000)
        let library = try await bench.library()
        _ = await readOn(await library.open(bench.load()))
        #expect(await until { await library.isKept(bench.key()) })
        unlink(bench.keptPath)
        #expect(await library.isKept(bench.key()) == false)
        #expect(await readOn(await library.open(bench.load())).bytes == bench.truth)
        #expect(await until { await library.isKept(bench.key()) })
    }

    @Test("PB-01 the connection closes in the middle: the reader waits, and goes on by Range from there; never an end")
    func cutAndResumed() async throws {
        let bench = try MediaBench()
        bench.server.faults = [Fault(.cut(afterBytes: 1_000_000), on: "/media/*", times: 1)]
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        let (bytes, last) = await readOn(reader)
        #expect(bytes == bench.truth && last == .end)
        #expect(bench.ranges == ["bytes=0-", "bytes=1000000-"])
    }

    @Test("PB-13 after the true end nothing more is asked")
    func nothingAfterTheEnd() async throws {
        let bench = try MediaBench(size: 200_000)
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        _ = await readOn(reader)
        #expect(await until { await library.isKept(bench.key()) })
        for _ in 0..<3 { #expect(await onEngineThread { reader.read(at: 200_000, upTo: 10) } == .end) }
        await library.retryNow()
        _ = await readOn(await library.open(bench.load()))
        #expect(bench.ranges == ["bytes=0-"])
    }

    @Test("seek ahead: exactly one more request; the gap is filled later and the file is byte for byte the server's")
    func seekAhead() async throws {
        let bench = try MediaBench()
        bench.server.faults = [Fault(.slow(bytesPerSecond: 200_000), on: "/media/*", times: 1)]
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        _ = await readOn(reader, upTo: 1000)
        let (tail, _) = await readOn(reader, from: 2_000_000, upTo: 500_000)
        #expect(tail == Array(bench.truth[2_000_000..<2_500_000]))
        #expect(bench.ranges.prefix(2) == ["bytes=0-", "bytes=2000000-"])
        #expect(await until { await library.isKept(bench.key()) })
        #expect(bench.ranges.count == 3)
        #expect(bench.ranges.last?.hasSuffix("-1999999") == true)
        #expect(try fileBytes(bench.keptPath) == bench.truth)
    }

    @Test(
        "reads at random places while it is fetched give the true bytes, whatever order they come in", arguments: [1, 2, 3])
    func randomReads(seed: UInt64) async throws {
        let bench = try MediaBench(size: 1_000_000)
        bench.server.faults = [
            Fault(.cut(afterBytes: 150_000), on: "/media/*", after: 1, times: 2),
            Fault(.cut(afterBytes: 70_000, reset: true), on: "/media/*", after: 4, times: 1),
        ]
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        var noise = Noise(seed: seed)
        for _ in 0..<60 {
            let start = noise.below(999_000)
            let count = 1 + noise.below(900)
            let (bytes, _) = await readOn(reader, from: Int64(start), upTo: count)
            #expect(bytes == Array(bench.truth[start..<start + count]), "at \(start)")
        }
        #expect(await until { await library.isKept(bench.key()) })
        #expect(try fileBytes(bench.keptPath) == bench.truth)
    }

    @Test("a byte near ahead is waited for, not asked for anew")
    func nearby() async throws {
        let bench = try MediaBench(size: 400_000)
        bench.server.faults = [Fault(.slow(bytesPerSecond: 1_000_000), on: "/media/*")]
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        _ = await readOn(reader, upTo: 1000)
        let (bytes, _) = await readOn(reader, from: 150_000, upTo: 1000)
        #expect(bytes == Array(bench.truth[150_000..<151_000]))
        #expect(bench.ranges == ["bytes=0-"])
    }

    @Test("cancel ends every wait at once: the one for the size, the one for a byte")
    func cancelled() async throws {
        let bench = try MediaBench(isStarted: false)
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        async let size = onEngineThread { reader.size() }
        async let outcome = onEngineThread { reader.read(at: 0, upTo: 10) }
        reader.cancel()
        #expect(await size == nil)
        #expect(await outcome == .cancelled)
        #expect(reader.failure == nil && !reader.hasReadToEnd)
    }

    @Test("another episode is opened: the former one's part stays for later, and only the new one is fetched")
    func anotherEpisode() async throws {
        let bench = try MediaBench()
        bench.server.faults = [Fault(.slow(bytesPerSecond: 100_000), on: "/media/*", times: 1)]
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        _ = await readOn(reader, upTo: 1000)
        reader.cancel()
        let other = await library.open(bench.load(guid: "g2"))
        #expect(await readOn(other).bytes == bench.truth)
        #expect(access(bench.partPath, F_OK) == 0)
        #expect(await library.isKept(bench.key()) == false)
    }
}

func fileBytes(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY)
    try #require(file >= 0)
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = read(file, &chunk, chunk.count)
        guard count > 0 else { return bytes }
        bytes += chunk[..<count]
    }
}
