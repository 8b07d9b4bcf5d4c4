import DemoKit
import EventLoop
import Glibc
import Library
import Playback
import Synchronization
import Testing

@testable import Linux
@testable import Media

@Suite("Keeping the next episodes", .timeLimit(.minutes(1)))
struct KeepingTests {
    private func bench(_ count: Int) throws -> MediaBench {
        let bench = try MediaBench(size: 100_000)
        bench.server.update { $0.shows[0].episodes = MediaBench.shelf(count, size: 200_000) }
        return bench
    }

    private func wish(_ numbers: [Int]) -> [(episode: EpisodeID, enclosure: Enclosure)] {
        numbers.map { number in
            (EpisodeID(server: "s", feed: "f1", guid: "g\(number)"), Enclosure(number: 0, url: "/media/f1/\(number).mp3"))
        }
    }

    private func paths(_ bench: MediaBench) -> [String] { bench.mediaRequests.map(\.path) }

    @Test(
        "they come one after another in queue order; one that is missing is passed over, one that is kept is not asked for")
    func inOrder() async throws {
        let bench = try bench(3)
        bench.server.faults = [Fault(.status(404), on: "/media/f1/2.mp3")]
        let library = try await bench.library()
        await library.keep(wish([1, 2, 3]), reserve: 0)
        #expect(await until { await library.isKept(bench.key(guid: "g3")) })
        #expect(paths(bench) == ["/media/f1/1.mp3", "/media/f1/2.mp3", "/media/f1/3.mp3"])
        #expect(await library.isKept(bench.key(guid: "g1")))
        bench.server.faults = []
        await library.keep(wish([1, 2, 3]), reserve: 0)
        #expect(await until { await library.isKept(bench.key(guid: "g2")) })
        #expect(paths(bench).count == 4)
    }

    @Test("the episode that plays comes first: keeping waits for it and takes up its part again")
    func currentFirst() async throws {
        let bench = try bench(3)
        bench.server.faults = [Fault(.slow(bytesPerSecond: 200_000), on: "/media/f1/2.mp3", times: 1)]
        let library = try await bench.library()
        await library.keep(wish([2]), reserve: 0)
        #expect(await until { await library.storedBytes(bench.key(guid: "g2")) > 20_000 })
        let reader = await library.open(bench.load("/media/f1/1.mp3"))
        #expect(await readOn(reader).bytes.count == 200_001)
        #expect(await until { await library.isKept(bench.key(guid: "g2")) })
        #expect(paths(bench) == ["/media/f1/2.mp3", "/media/f1/1.mp3", "/media/f1/2.mp3"])
        #expect(bench.ranges[2] != "bytes=0-")
    }

    @Test("the episode being kept is opened: it goes on with the same request")
    func openedWhileKept() async throws {
        let bench = try bench(2)
        bench.server.faults = [Fault(.slow(bytesPerSecond: 400_000), on: "/media/f1/1.mp3", times: 1)]
        let library = try await bench.library()
        await library.keep(wish([1]), reserve: 0)
        #expect(await until { await library.storedBytes(bench.key()) > 10_000 })
        let reader = await library.open(bench.load("/media/f1/1.mp3"))
        #expect(await readOn(reader).bytes.count == 200_001)
        #expect(bench.ranges == ["bytes=0-"])
    }

    @Test("OFF-10 no room beyond the reserve: nothing is kept, what is played is fetched all the same")
    func reserve() async throws {
        let bench = try bench(2)
        let library = try await bench.library()
        await library.keep(wish([2]), reserve: .max)
        #expect(await until { bench.log.contains("stay free") })
        #expect(bench.mediaRequests.isEmpty)
        let reader = await library.open(bench.load("/media/f1/1.mp3"))
        #expect(await readOn(reader).bytes.count == 200_001)
    }

    @Test("OFF-10 the disk is full: fetching stops with a failure at the first missing byte, nothing else happens")
    func diskFull() async throws {
        let bench = try bench(1)
        let context = try await bench.library().context
        let state = EpisodeFile.State(file: RandomAccessFile(owning: open("/dev/full", O_RDWR | O_CLOEXEC)))
        let file = EpisodeFile(state)
        let fetcher = await Fetcher(bench.key(), Enclosure(number: 0, url: "/media/f1/1.mp3"), file, context)
        await fetcher.renew()
        let reader = FileReader(file, log: { _ in })
        #expect(await readOn(reader).last == .failed(.internal))
        #expect(reader.failure == .internal && !reader.hasReadToEnd)
        #expect(await until { bench.log.contains("the disk is full") })
        #expect(bench.ranges.count == 1)
    }

    @Test("OFF-16 a kept copy that does not play is streamed instead, and replaced by what was streamed")
    func distrusted() async throws {
        let bench = try MediaBench(size: 200_000)
        let library = try await bench.library()
        _ = await readOn(await library.open(bench.load()))
        #expect(await until { await library.isKept(bench.key()) })
        let zeros = open(bench.keptPath, O_WRONLY)
        var nothing = [UInt8](repeating: 0, count: 100_000)
        #expect(pwrite(zeros, &nothing, nothing.count, 100_000) == nothing.count)
        close(zeros)
        let bad = await library.open(bench.load(generation: 2))
        #expect(await readOn(bad).bytes != bench.truth)
        // The engine's second attempt of the same load.
        let good = await library.open(bench.load(generation: 2))
        #expect(await readOn(good).bytes == bench.truth)
        #expect(await until { await library.isKept(bench.key()) })
        #expect(try fileBytes(bench.keptPath) == bench.truth)
        #expect(bench.ranges == ["bytes=0-", "bytes=0-"])
        // A next load trusts the new copy.
        #expect(await readOn(await library.open(bench.load(generation: 3))).bytes == bench.truth)
        #expect(bench.ranges.count == 2)
    }

    @Test("progress is told with true numbers and ends with kept")
    func progress() async throws {
        let bench = try MediaBench(size: 300_000)
        bench.server.faults = [Fault(.slow(bytesPerSecond: 2_000_000), on: "/media/*")]
        let library = try await bench.library()
        let seen = Mutex<[FetchProgress]>([])
        await Core.perform { library.onProgress = { _, progress in seen.withLock { $0.append(progress) } } }
        _ = await readOn(await library.open(bench.load()))
        #expect(await until { seen.withLock { $0.last?.isKept } == true })
        let all = seen.withLock { $0 }
        #expect(all.last == FetchProgress(done: 300_000, total: 300_000, isKept: true))
        #expect(all.count > 2 && all.allSatisfy { $0.total == 300_000 })
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.done <= $1.done })
    }
}
