import EventLoop
import Foundation
import Library
import Linux
import Playback
import Storage
import Testing

@Suite("The store over restarts", .timeLimit(.minutes(1)))
struct StoreTests {
    let scene = Scene()

    @Test("the folder and the file are made, readable by nobody else")
    @Core func files() throws {
        let store = try scene.open()
        try store.store(record("a", at: 1), reason: .pause)
        for name in scene.names { #expect(try SmallFile.mode(of: scene.folder + "/" + name) == 0o600, "\(name)") }
        #expect(scene.names.contains("ipx-car.db"))
    }

    @Test("POS-08 POS-16 an unsent position outlives a process that just goes away")
    @Core func abandoned() throws {
        // Never closed: as after kill -9, the log is all there is.
        let abandoned = Unmanaged.passRetained(try scene.open())
        try abandoned.takeUnretainedValue().store(record("a", at: 605), reason: .interval)
        try abandoned.takeUnretainedValue().setCurrent(id("a"), wasPlaying: true)
        let copy = Scene()
        try FileManager.default.copyItem(atPath: scene.folder, toPath: copy.folder)
        let store = try copy.open()
        #expect(try store.unsent(limit: 5).map(\.record.position) == [605])
        #expect(try store.current()?.episode.id == id("a"))
        #expect(store.rescue == nil)
        abandoned.release()
    }

    @Test("POS-07 a read mark reached offline is there after the restart")
    @Core func readMark() throws {
        var store: Store? = try scene.open()
        try store?.store(record("a", at: 3300), reason: .interval)
        try store?.markRead(id("a"), at: stamp())
        store = nil
        #expect(try scene.open().unsent(limit: 1).first?.nextPush == .read)
    }

    @Test("a cold boot without network knows the queue as last listed")
    @Core func entries() throws {
        var store: Store? = try scene.open()
        let listed = [
            entry("a", published: 3), entry("b", published: 1), entry("x", feed: "f2", published: 2),
            entry("u", published: nil),
        ]
        try store?.setListed(listed)
        store = nil
        let again = try scene.open()
        #expect(try again.listed().map(\.id.guid) == ["b", "x", "a", "u"])
        #expect(try again.listed(newestFirst: true).map(\.id.guid) == ["a", "x", "b", "u"])
        #expect(try again.listed(feed: id("", feed: "f2")).map(\.id.guid) == ["x", "b", "a", "u"])
        #expect(try again.listed(limit: 2).count == 2)
        #expect(try again.entry(id("a")) == listed[0])
    }

    @Test("an entry gone from the list is forgotten, unless it is held, kept or current")
    @Core func unlisted() throws {
        let store = try scene.open()
        try store.setListed(["held", "kept", "current", "gone"].map { entry($0) })
        try store.store(record("held", at: 10), reason: .pause)
        try store.setKept(id("kept"), byHand: true)
        try store.setCurrent(id("current"), wasPlaying: false)
        try store.setListed([])
        #expect(try store.listed().isEmpty)
        for name in ["held", "kept", "current"] { #expect(try store.entry(id(name)) != nil) }
        #expect(try store.entry(id("gone")) == nil)
    }

    @Test("a list that is as it was costs no write; a changed entry replaces its chapters")
    @Core func unchangedList() throws {
        let store = try scene.open()
        try store.setListed([entry("a")])
        let before = try Data(contentsOf: URL(fileURLWithPath: scene.path + "-wal")).count
        try store.setListed([entry("a")])
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.path + "-wal")).count == before)
        var changed = entry("a")
        changed.chapters = [Chapter(start: 5, title: "Only")]
        changed.enclosures = []
        try store.setListed([changed])
        #expect(try store.entry(id("a")) == changed)
    }

    @Test("the journal has both values and the reason; undisturbed play is one row")
    @Core func journal() throws {
        let store = try scene.open()
        for position in stride(from: 10.0, through: 100, by: 10) {
            try store.store(record("a", at: position), reason: .interval)
        }
        try store.store(record("a", at: 700, heard: stamp(wall: 5000)), reason: .seek)
        try store.settle(
            entry("a", position: 50, updated: 9_000_000, version: 3), from: .listing, isPlaying: false, times: SyncTimes())
        let history = try store.history(of: id("a"))
        #expect(history.map(\.reason) == ["server", "seek", "interval"])
        #expect(history.map(\.position) == [50, 700, 100])
        #expect(history.map(\.other) == [700, 100, nil])
    }

    @Test("undo brings the other value back as a change that is sent; a second undo returns")
    @Core func undo() throws {
        let store = try scene.open()
        try store.store(record("a", at: 700), reason: .pause)
        #expect(try store.undo(id("a"), at: stamp()) == nil)
        try store.store(record("a", at: 20), reason: .seek)
        #expect(try store.undo(id("a"), at: stamp(200))?.position == 700)
        #expect(try store.unsent(limit: 1).first?.record.position == 700)
        #expect(try store.undo(id("a"), at: stamp(201))?.position == 20)
        #expect(try store.undo(id("never"), at: stamp()) == nil)
    }

    @Test("the position that gave way to the server is in the journal, either way round")
    @Core func losers() throws {
        let store = try scene.open()
        try store.store(record("a", at: 900, heard: stamp(wall: 5000)), reason: .interval)
        try store.settle(
            entry("a", position: 50, updated: 9000, version: 7), from: .conflict, isPlaying: true, times: SyncTimes())
        let change = try #require(try store.history(of: id("a")).first)
        #expect(change.reason == "stood" && change.position == 900 && change.other == 50)
    }

    @Test("part records, kept episodes, volumes and facts come back")
    @Core func facts() throws {
        var store: Store? = try scene.open()
        let part = PartFacts(present: [0..<100, 500..<900], etag: "\"v1\"", total: 5_000_000_000)
        try store?.setPart(part, "ab12")
        try store?.setPart(PartFacts(present: []), "cd34")
        try store?.setKept(id("a"), byHand: true)
        try store?.setKept(id("b"), byHand: false)
        try store?.setVolume(37, ofCar: "AA:BB:CC:DD:EE:FF")
        try store?.setServerIdentity("s1")
        store = nil
        let again = try scene.open()
        #expect(try again.part("ab12") == part)
        #expect(try again.part("none") == nil)
        #expect(try again.partKeys() == ["ab12", "cd34"])
        try again.setPart(nil, "cd34")
        #expect(try again.partKeys() == ["ab12"])
        #expect(try again.kept() == [id("a"): true, id("b"): false])
        try again.setKept(id("b"), byHand: nil)
        #expect(try again.kept() == [id("a"): true])
        #expect(try again.volume(ofCar: "AA:BB:CC:DD:EE:FF") == 37)
        #expect(try again.volume(ofCar: "00:00:00:00:00:00") == nil)
        #expect(try again.serverIdentity() == "s1")
        try again.setFact("server", nil)
        #expect(try again.serverIdentity() == nil)
    }

    @Test("the last trusted time is the server's, or what was heard after it; it is written seldom")
    @Core func trusted() throws {
        let store = try scene.open()
        #expect(try store.lastTrusted() == nil)
        try store.trust(WallTime(milliseconds: 1_000_000))
        try store.trust(WallTime(milliseconds: 1_200_000))
        #expect(try store.lastTrusted() == WallTime(milliseconds: 1_000_000))
        try store.trust(WallTime(milliseconds: 1_400_000))
        #expect(try store.lastTrusted() == WallTime(milliseconds: 1_400_000))
        try store.store(record("a", at: 5, heard: stamp(wall: 2000)), reason: .pause)
        #expect(try store.lastTrusted() == WallTime(milliseconds: 2_000_000))
    }

    @Test("an hour of undisturbed play writes under 10 MB")
    @Core func writes() throws {
        let store = try scene.open()
        try store.setListed((1...50).map { entry("e\($0)") })
        let before = try written()
        for tick in 0..<360 {
            let moment = stamp(Double(tick) * 10, wall: 1000 + Int64(tick) * 10)
            try store.store(record("e1", at: Double(tick) * 10, heard: moment), reason: .interval)
        }
        #expect(try written() - before < 10_000_000)
        #expect(try store.history(of: id("e1")).count == 1)
    }

    @Test("OFF-17 a folder that can't be made is told with its path")
    @Core func badFolder() throws {
        #expect(throws: StoreError.self) { try Store(folder: "/proc/nowhere/state", log: Log { _ in }) }
    }
}

/// Bytes this process has handed to write calls (proc(5), `wchar`).
private func written() throws -> Int {
    let lines = try String(contentsOfFile: "/proc/self/io", encoding: .utf8).split(separator: "\n")
    return lines.first { $0.hasPrefix("wchar") }.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
}
