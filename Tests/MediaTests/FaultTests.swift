import DemoKit
import EventLoop
import Glibc
import HTTPClient
import Library
import Playback
import Synchronization
import Testing

@testable import Media

@Suite("Faults of servers and networks", .timeLimit(.minutes(1)))
struct FaultTests {
    /// Streams the whole and says what was asked for on the way.
    private func streams(_ faults: [Fault], size: Int = 300_000) async throws -> (bench: MediaBench, ranges: [String]) {
        let bench = try MediaBench(size: size)
        bench.server.faults = faults
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        let (bytes, last) = await readOn(reader)
        #expect(bytes == bench.truth && last == .end, "\(bench.log)")
        #expect(reader.hasReadToEnd && reader.failure == nil)
        #expect(await until { await library.isKept(bench.key()) })
        #expect(try fileBytes(bench.keptPath) == bench.truth)
        return (bench, bench.ranges)
    }

    /// What the reader is left with when nothing can be played.
    private func fails(_ faults: [Fault], _ failure: Failure) async throws -> MediaBench {
        let bench = try MediaBench(size: 300_000)
        bench.server.faults = faults
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        let (bytes, last) = await readOn(reader)
        #expect(bytes.isEmpty && last == .failed(failure), "\(bench.log)")
        #expect(reader.failure == failure && !reader.hasReadToEnd)
        #expect(await library.isKept(bench.key()) == false)
        return bench
    }

    @Test("PB-05 a server that rejects the Range header gets one request without it, and plays", arguments: [406, 416])
    func rangeRejected(status: Int) async throws {
        let (_, ranges) = try await streams([Fault(.refuseRange(status: status), on: "/media/*")])
        #expect(ranges == ["bytes=0-", "none"])
    }

    @Test("PB-06 chunked without a length: the clean end is the end")
    func chunked() async throws {
        let (_, ranges) = try await streams([
            Fault(.ignoreRange, on: "/media/*"), Fault(.chunked(lastChunk: true), on: "/media/*"),
        ])
        #expect(ranges.count == 1)
    }

    @Test("PB-06 chunked and closed without the last chunk: a cut, not an end")
    func chunkedCut() async throws {
        let (_, ranges) = try await streams([
            Fault(.ignoreRange, on: "/media/*"),
            Fault(.cut(afterBytes: 100_000), on: "/media/*", times: 1),
            Fault(.chunked(lastChunk: false), on: "/media/*", times: 1),
        ])
        #expect(ranges.count == 2)
    }

    @Test("PB-09 a: index at the end, server with ranges: a few requests, played before it is whole")
    func indexAtEnd() async throws {
        let bench = try MediaBench(size: 4_000_000)
        bench.server.faults = [Fault(.slow(bytesPerSecond: 1_000_000), on: "/media/*")]
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        // Header, index at the end, then from the beginning: the order in which a demuxer reads such a file.
        #expect(await readOn(reader, upTo: 4096).bytes == Array(bench.truth[..<4096]))
        #expect(await readOn(reader, from: 3_900_000).bytes == Array(bench.truth[3_900_000...]))
        #expect(await readOn(reader, from: 4096, upTo: 400_000).bytes == Array(bench.truth[4096..<404_096]))
        #expect(await library.isKept(bench.key()) == false)
        #expect(bench.ranges.count <= 3)
    }

    @Test("PB-09 b: index at the end, server without ranges: waits for it in one download, no request loop")
    func indexAtEndWithoutRanges() async throws {
        let bench = try MediaBench(size: 1_000_000)
        bench.server.faults = [
            Fault(.ignoreRange, on: "/media/*"), Fault(.slow(bytesPerSecond: 2_000_000), on: "/media/*"),
        ]
        bench.server.add(Fault(.chunked(lastChunk: true), on: "/media/*"))
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        #expect(await readOn(reader, upTo: 4096).bytes.count == 4096)
        #expect(await readOn(reader, from: 900_000).bytes == Array(bench.truth[900_000...]))
        #expect(await until { await library.isKept(bench.key()) })
        #expect(bench.ranges.count <= 2)
    }

    @Test("PB-12 the server falls silent with the connection open: a new one goes on where it stopped")
    func silence() async throws {
        let (bench, ranges) = try await streams([Fault(.stall(afterBytes: 100_000), on: "/media/*", times: 1)])
        #expect(ranges == ["bytes=0-", "bytes=100000-"])
        let gap = bench.mediaRequests[1].time - bench.mediaRequests[0].time
        #expect(gap > 0.3 && gap < 20)
        let usual = FetchTimings()
        #expect(usual.stall + .seconds(usual.firstRetry) < .seconds(20))
    }

    @Test("PB-12 the server accepts and never answers: given up and asked again")
    func neverAnswers() async throws {
        let (_, ranges) = try await streams([Fault(.stall(afterBytes: 0), on: "/media/*", times: 2)])
        #expect(ranges == ["bytes=0-", "bytes=0-", "bytes=0-"])
    }

    @Test(
        "NET-08 a page with 200 is not the episode, whatever its type: nothing kept, told once, tried again",
        arguments: ["text/html; charset=utf-8", "audio/mpeg"])
    func page(type: String) async throws {
        let bench = try MediaBench(size: 200_000)
        bench.server.faults = [Fault(.html(type: type), on: "/media/*", times: 3)]
        let library = try await bench.library()
        let seen = Mutex<[Failure?]>([])
        await Core.perform { library.onNetwork = { failure in seen.withLock { $0.append(failure) } } }
        let reader = await library.open(bench.load())
        #expect(await bench.server.log.wait(for: 2, "/media/*"))
        #expect(await library.isKept(bench.key()) == false)
        #expect(await readOn(reader).bytes == bench.truth)
        #expect(bench.ranges.count == 4)
        #expect(await until { seen.withLock { $0 } == [.offline, nil] })
    }

    @Test("NET-08 odd or missing type on real audio is fine", arguments: ["text/plain", "application/octet-stream", nil])
    func oddType(type: String?) async throws {
        _ = try await streams([Fault(.contentType(type), on: "/media/*")])
    }

    @Test("NET-11 the token runs out in mid-episode: one refresh, then on from the same byte")
    func refreshed() async throws {
        let bench = try MediaBench(size: 300_000)
        bench.server.faults = [
            Fault(.cut(afterBytes: 100_000), on: "/media/*", times: 1),
            Fault(.status(401), on: "/media/*", after: 1, times: 1),
        ]
        let asked = Mutex(0)
        let library = try await bench.library(refresh: { _, enclosure in
            asked.withLock { $0 += 1 }
            return Enclosure(number: enclosure.number, url: enclosure.url + "?signature=new")
        })
        let reader = await library.open(bench.load())
        #expect(await readOn(reader).bytes == bench.truth)
        #expect(asked.withLock { $0 } == 1)
        #expect(bench.ranges == ["bytes=0-", "bytes=100000-", "bytes=100000-"])
        #expect(bench.mediaRequests.last?.request.target.hasSuffix("?signature=new") == true)
    }

    @Test(
        "NET-11 still refused after the refresh: what is there plays out, then the sign-in is the reason; no loop",
        arguments: [401, 403])
    func signInGone(status: Int) async throws {
        let bench = try MediaBench(size: 300_000)
        bench.server.faults = [
            Fault(.cut(afterBytes: 100_000), on: "/media/*", times: 1), Fault(.status(status), on: "/media/*", after: 1),
        ]
        let library = try await bench.library()
        let seen = Mutex<[Failure?]>([])
        await Core.perform { library.onNetwork = { failure in seen.withLock { $0.append(failure) } } }
        let reader = await library.open(bench.load())
        #expect(await bench.server.log.wait(for: 3, "/media/*"))
        #expect(await until { seen.withLock { $0.last } == .some(.unauthorized) })
        #expect(reader.failure == nil)
        let (bytes, last) = await readOn(reader)
        #expect(bytes == Array(bench.truth[..<100_000]))
        #expect(last == .failed(.unauthorized) && reader.failure == .unauthorized)
        #expect(bench.ranges.count == 3)
        // Signed in again: goes on from there.
        bench.server.faults = []
        await library.retryNow()
        #expect(await readOn(await library.open(bench.load())).bytes == bench.truth)
        #expect(bench.ranges.last == "bytes=100000-")
    }

    @Test("NET-13 packed although identity was asked for: unpacked, and the packed length is not taken for the size")
    func packed() async throws {
        _ = try await streams([Fault(.ignoreRange, on: "/media/*"), Fault(.gzip, on: "/media/*")])
    }

    @Test("NET-13 packed and cut: fetched again, never taken for whole")
    func packedCut() async throws {
        _ = try await streams([
            Fault(.ignoreRange, on: "/media/*"), Fault(.gzip, on: "/media/*"),
            Fault(.cut(afterBytes: 90_000), on: "/media/*", times: 1),
        ])
    }

    @Test("NET-14 an empty answer is a failure, not a finished episode")
    func empty() async throws {
        let bench = try await fails([Fault(.text("", type: "audio/mpeg"), on: "/media/*")], .media)
        #expect(bench.ranges.count <= 2)
    }

    @Test("NET-14 less than announced again and again: a failure at that byte, never a whole file")
    func announcedTooMuch() async throws {
        let bench = try MediaBench(size: 100_000)
        bench.server.faults = [Fault(.ignoreRange, on: "/media/*"), Fault(.contentLength(150_000), on: "/media/*")]
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        #expect(await readOn(reader, upTo: 100_000).bytes == bench.truth)
        #expect(await bench.server.log.wait(for: 3, "/media/*"))
        #expect(!reader.hasReadToEnd)
        #expect(await library.isKept(bench.key()) == false)
        reader.cancel()
        await library.cancelAll()
    }

    @Test(
        "a Content-Range that is nonsense: the whole is asked for, and plays",
        arguments: [
            "bytes 9223372036854775800-9223372036854775806/9223372036854775807", "bytes 5-1/100", "lines 1-2/3", "bytes */*",
        ])
    func nonsenseRange(text: String) async throws {
        let (_, ranges) = try await streams([Fault(.contentRange(text), on: "/media/*", times: 1)])
        #expect(ranges == ["bytes=0-", "none"])
    }

    @Test("404: this one can't be played, and is not asked for again")
    func missing() async throws {
        let bench = try await fails([Fault(.status(404), on: "/media/*")], .notFound)
        #expect(bench.ranges.count == 1)
    }

    @Test("NET-05 a redirect loop: at most 8 hops an attempt, then a wait; told, not failed")
    func loop() async throws {
        let bench = try MediaBench(size: 100_000)
        bench.server.faults = [Fault(.redirect(to: nil), on: "/media/*", times: 9)]
        let library = try await bench.library()
        let seen = Mutex<[Failure?]>([])
        await Core.perform { library.onNetwork = { failure in seen.withLock { $0.append(failure) } } }
        #expect(await readOn(await library.open(bench.load())).bytes == bench.truth)
        #expect(bench.ranges.count == 10)
        #expect(await until { seen.withLock { $0 } == [.offline, nil] })
    }

    @Test("503 with Retry-After: not before")
    func retryAfter() async throws {
        let bench = try MediaBench(size: 100_000)
        bench.server.faults = [Fault(.status(503, retryAfter: "1"), on: "/media/*", times: 1)]
        let library = try await bench.library()
        #expect(await readOn(await library.open(bench.load())).bytes == bench.truth)
        let requests = bench.mediaRequests
        #expect(requests.count == 2 && requests[1].time - requests[0].time >= 1)
    }

    @Test("an enclosure on another server is fetched without our token")
    func foreignEnclosure() async throws {
        let bench = try MediaBench(size: 50_000)
        let other = try MediaBench(size: 100_000)
        let library = try await bench.library()
        let load = bench.load(other.server.origin + "/media/f1/episode.mp3")
        let (_, last) = await readOn(await library.open(load))
        // The stand-in wants a token of its own; what counts is that ours was not shown to it.
        #expect(last == .failed(.notFound))
        #expect(!other.mediaRequests.isEmpty && other.mediaRequests.allSatisfy { $0.credential == .none })
        #expect(bench.mediaRequests.isEmpty)
    }
}

extension Core {
    /// Runs on the core and waits for it.
    static func perform<T: Sendable>(_ body: @Core @Sendable () throws -> T) async rethrows -> T {
        try await Core.shared.run(body)
    }

    private func run<T: Sendable>(_ body: @Core @Sendable () throws -> T) async rethrows -> T { try await body() }
}
