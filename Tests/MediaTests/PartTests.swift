import DemoKit
import EventLoop
import Glibc
import Library
import Playback
import Testing

@testable import Media

@Suite("Parts that outlive a run", .timeLimit(.minutes(1)))
struct PartTests {
    /// A run that ends after some bytes of the episode, as by a cut of power after the last record.
    private func firstRun(_ bench: MediaBench, _ records: TransientPartRecords) async throws {
        bench.server.faults = [Fault(.stall(afterBytes: 400_000), on: "/media/*", times: 1)]
        var timings = MediaBench.timings
        timings.stall = .seconds(30)
        let library = try await bench.library(records, timings: timings)
        _ = await readOn(await library.open(bench.load()), upTo: 400_000)
        await library.cancelAll()
        #expect(await until { await records.load(bench.key().fileName)?.present.count == 400_000 })
        bench.server.faults = []
        bench.server.log.clear()
    }

    @Test("OFF-01 OFF-15 killed in the middle of a part: the next run goes on by Range from where it was")
    func resumed() async throws {
        let bench = try MediaBench(size: 1_000_000)
        let records = await TransientPartRecords()
        try await firstRun(bench, records)
        let library = try await bench.library(records)
        #expect(await library.isKept(bench.key()) == false)
        #expect(await readOn(await library.open(bench.load())).bytes == bench.truth)
        #expect(bench.ranges == ["bytes=400000-"])
        #expect(await until { await library.isKept(bench.key()) })
        #expect(try fileBytes(bench.keptPath) == bench.truth)
        #expect(await until { await records.load(bench.key().fileName) == nil })
    }

    @Test("OFF-01 a cut download is never listed as kept, and its part has a temporary name")
    func neverKept() async throws {
        let bench = try MediaBench(size: 1_000_000)
        let records = await TransientPartRecords()
        try await firstRun(bench, records)
        #expect(access(bench.keptPath, F_OK) != 0 && access(bench.partPath, F_OK) == 0)
        let library = try await bench.library(records)
        #expect(await library.isKept(bench.load().episode) == false)
    }

    @Test("the part is shorter than its record after a crash: nothing of it is believed")
    func recordBeyondFile() async throws {
        let bench = try MediaBench(size: 500_000)
        let records = await TransientPartRecords()
        try await firstRun(bench, records)
        truncate(bench.partPath, 100_000)
        let library = try await bench.library(records)
        #expect(await readOn(await library.open(bench.load())).bytes == bench.truth)
        #expect(bench.ranges == ["bytes=0-"])
    }

    @Test("a part without a record starts over")
    func noRecord() async throws {
        let bench = try MediaBench(size: 500_000)
        try await firstRun(bench, await TransientPartRecords())
        let library = try await bench.library(await TransientPartRecords())
        #expect(await readOn(await library.open(bench.load())).bytes == bench.truth)
        #expect(bench.ranges == ["bytes=0-"])
    }

    @Test("the file on the server changed between two runs: fetched anew, and never mixed with the old part")
    func changedBetween() async throws {
        let bench = try MediaBench(size: 1_000_000)
        let records = await TransientPartRecords()
        try await firstRun(bench, records)
        let fresh = Array(bench.truth.reversed())
        bench.server.update {
            $0[feed: "f1", guid: "g1"]?.enclosures[0] = DemoEnclosure(
                name: "f1/episode.mp3", content: .bytes(fresh), revision: 2)
        }
        let library = try await bench.library(records)
        #expect(await readOn(await library.open(bench.load())).bytes == fresh, "\(bench.log)")
        #expect(bench.ranges == ["bytes=400000-", "bytes=0-"])
        #expect(await until { await library.isKept(bench.key()) })
        #expect(try fileBytes(bench.keptPath) == fresh)
    }

    @Test("the file changes while it is read: the old reader ends there, and opened again the new file plays from its start")
    func changedWhileRead() async throws {
        let bench = try MediaBench(size: 600_000)
        bench.server.faults = [Fault(.stall(afterBytes: 200_000), on: "/media/*", times: 1)]
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        _ = await readOn(reader, upTo: 100)
        let fresh = Array(bench.truth.reversed())
        bench.server.update {
            $0[feed: "f1", guid: "g1"]?.enclosures[0] = DemoEnclosure(
                name: "f1/episode.mp3", content: .bytes(fresh), revision: 2)
        }
        let (bytes, last) = await readOn(reader)
        #expect(bytes == Array(bench.truth[..<200_000]) && last == .failed(.media))
        // No failure that speaks against a second attempt.
        #expect(reader.failure == nil && !reader.hasReadToEnd)
        #expect(await readOn(await library.open(bench.load())).bytes == fresh)
        #expect(await until { await library.isKept(bench.key()) })
        #expect(try fileBytes(bench.keptPath) == fresh)
    }

    @Test("no validators at all and no ranges: the bytes themselves tell that it is the same file")
    func sameByBytes() async throws {
        let bench = try MediaBench(size: 500_000)
        bench.server.faults = [
            Fault(.ignoreRange, on: "/media/*"), Fault(.noValidators, on: "/media/*"),
            Fault(.cut(afterBytes: 300_000), on: "/media/*", times: 1),
        ]
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        #expect(await readOn(reader).bytes == bench.truth, "\(bench.log)")
        #expect(reader.failure == nil)
        #expect(bench.ranges.count == 2)
    }

    @Test("OFF-05 a server that answers every condition or Range with the whole file: accepted as a fresh full download")
    func wholeInsteadOfRange() async throws {
        let bench = try MediaBench(size: 500_000)
        bench.server.faults = [
            Fault(.ignoreIfRange, on: "/media/*"), Fault(.cut(afterBytes: 300_000), on: "/media/*", times: 1),
            Fault(.ignoreRange, on: "/media/*", after: 1),
        ]
        let library = try await bench.library()
        #expect(await readOn(await library.open(bench.load())).bytes == bench.truth)
        #expect(bench.ranges == ["bytes=0-", "bytes=300000-"])
        #expect(await until { await library.isKept(bench.key()) })
        #expect(try fileBytes(bench.keptPath) == bench.truth)
    }

    @Test("validators that change with every answer: a clear end after a few attempts, never a loop or a mixture")
    func restless() async throws {
        let bench = try MediaBench(size: 500_000)
        bench.server.faults = [
            Fault(.changingValidators, on: "/media/*"), Fault(.cut(afterBytes: 200_000), on: "/media/*"),
        ]
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        let (bytes, last) = await readOn(reader)
        #expect(last == .failed(.media) && bytes == Array(bench.truth[..<bytes.count]))
        #expect(await until { bench.log.contains("given up") })
        #expect(bench.ranges.count < 10)
    }

    @Test("416 although bytes are missing: one restart, then it plays")
    func restarted() async throws {
        let bench = try MediaBench(size: 500_000)
        bench.server.faults = [
            Fault(.cut(afterBytes: 300_000), on: "/media/*", times: 1),
            Fault(.status(416), on: "/media/*", after: 1, times: 1),
        ]
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        _ = await readOn(reader, upTo: 300_000)
        #expect(await until { await library.isKept(bench.key()) }, "\(bench.log)")
        #expect(try fileBytes(bench.keptPath) == bench.truth)
        // Whether what is missing comes in one answer or two hangs on what the reader had asked for by then.
        #expect(bench.ranges.prefix(2) == ["bytes=0-", "bytes=300000-"] && bench.ranges.count <= 4)
        #expect(bench.ranges.dropFirst(2).contains { $0.hasPrefix("bytes=0-") })
    }

    @Test("the announced length was too long and 416 tells the true one: everything is there, so it is kept")
    func trueLengthBy416() async throws {
        let bench = try MediaBench(size: 500_000)
        bench.server.faults = [
            Fault(.contentLength(600_000), on: "/media/*", times: 1), Fault(.ignoreRange, on: "/media/*", times: 1),
        ]
        bench.server.add(Fault(.noValidators, on: "/media/*"))
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        #expect(await readOn(reader).bytes == bench.truth, "\(bench.log)")
        #expect(await until { await library.isKept(bench.key()) })
        #expect(try fileBytes(bench.keptPath) == bench.truth)
    }

    @Test("the server's file got shorter, and no validator tells: what is kept has the size of the new one")
    func shorter() async throws {
        let bench = try MediaBench(size: 500_000)
        bench.server.faults = [
            Fault(.ignoreRange, on: "/media/*"), Fault(.noValidators, on: "/media/*"),
            Fault(.chunked(lastChunk: true), on: "/media/*"),
            Fault(.cut(afterBytes: 400_000), on: "/media/*", times: 1),
        ]
        let library = try await bench.library()
        let reader = await library.open(bench.load())
        _ = await readOn(reader, upTo: 1000)
        let short = Array(bench.truth[..<300_000])
        bench.server.update { $0[feed: "f1", guid: "g1"]?.enclosures[0].content = .bytes(short) }
        #expect(await until { await library.isKept(bench.key()) }, "\(bench.log)")
        let kept = try fileBytes(bench.keptPath)
        #expect(kept == short || kept == bench.truth)
    }

    @Test("OFF-12 two episodes whose names are equal for 300 letters, and odd ones: each has its own file")
    func longNames() {
        let long = String(repeating: "a", count: 300)
        let keys = [
            MediaKey(EpisodeID(server: "s", feed: "f", guid: long + "1"), enclosure: 0),
            MediaKey(EpisodeID(server: "s", feed: "f", guid: long + "2"), enclosure: 0),
            MediaKey(EpisodeID(server: "s", feed: "f", guid: long + "2"), enclosure: 1),
            MediaKey(EpisodeID(server: "s", feed: "f1:g", guid: "x"), enclosure: 0),
            MediaKey(EpisodeID(server: "s", feed: "f", guid: "1:gx"), enclosure: 0),
            MediaKey(EpisodeID(server: "../../etc", feed: "/", guid: "passwd\u{0}"), enclosure: 0),
        ]
        #expect(Set(keys.map(\.fileName)).count == keys.count)
        #expect(keys.allSatisfy { MediaKey.isOurs($0.fileName) && MediaKey.isOurs($0.partName) })
    }

    @Test("OFF-15 a sweep takes left-over parts and unwanted files, and leaves the current one, the wanted and strangers")
    func sweep() async throws {
        let bench = try MediaBench(size: 100_000)
        bench.server.faults = [Fault(.stall(afterBytes: 50_000), on: "/media/*")]
        let records = await TransientPartRecords()
        var timings = MediaBench.timings
        timings.stall = .seconds(60)
        let library = try await bench.library(records, timings: timings)
        _ = await readOn(await library.open(bench.load()), upTo: 50_000)
        let media = bench.folder.path + "/media/"
        let wanted = bench.key(guid: "wanted")
        let old = bench.key(guid: "old")
        for name in [wanted.fileName, old.fileName, old.partName, "holiday.mp3", "notes.part"] {
            close(open(media + name, O_CREAT | O_WRONLY, 0o600))
        }
        await Core.perform { records.save(PartRecord(present: ByteRanges([0..<5]), validator: Validator()), old.fileName) }
        await library.sweep(keeping: [wanted])
        func isThere(_ name: String) -> Bool { access(media + name, F_OK) == 0 }
        #expect(isThere(wanted.fileName) && isThere("holiday.mp3") && isThere("notes.part") && isThere(bench.key().partName))
        #expect(!isThere(old.fileName) && !isThere(old.partName))
        #expect(await records.load(old.fileName) == nil)
        #expect(await library.isKept(old) == false)
        await library.cancelAll()
    }

    @Test("a link in the folder in place of an episode is not followed")
    func link() async throws {
        let bench = try MediaBench(size: 100_000)
        let library = try await bench.library()
        symlink("/etc/hostname", bench.keptPath)
        #expect(await library.isKept(bench.key()) == false)
        #expect(await readOn(await library.open(bench.load())).bytes == bench.truth)
    }
}
