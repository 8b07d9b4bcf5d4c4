import EventLoop
import Foundation
import Library
import Linux
import Playback
import Storage
import Testing

@Suite("A damaged store", .timeLimit(.minutes(1)))
struct DamageTests {
    let scene = Scene()

    /// Forty episodes heard, all in the file itself, none acknowledged.
    @Core private func fill() throws {
        let store = try scene.open()
        try store.setListed((1...40).map { entry("e\($0)") })
        for number in 1...40 { try store.store(record("e\(number)", at: Double(number) * 10), reason: .pause) }
        try store.setCurrent(id("e7"), wasPlaying: true)
        try store.setServerIdentity("s1")
    }

    @Test("OFF-08 a store of NULs is put aside and the service starts")
    @Core func nul() throws {
        try fill()
        let size = try Data(contentsOf: URL(fileURLWithPath: scene.path)).count
        try Data(count: size).write(to: URL(fileURLWithPath: scene.path))
        let store = try scene.open()
        #expect(store.rescue?.setAside == scene.path + ".damaged-1")
        try store.store(record("a", at: 5), reason: .pause)
        #expect(try scene.open().record(of: id("a"))?.position == 5)
        #expect(scene.names.contains("ipx-car.db.damaged-1"))
        #expect(scene.lines.text.contains("store was damaged"))
    }

    @Test(
        "OFF-09 whichever page is zeroed, the service starts and positions are saved; without damage to the first, all unsent ones"
    )
    @Core func everyPage() throws {
        try fill()
        let whole = try Data(contentsOf: URL(fileURLWithPath: scene.path))
        for page in 0..<(whole.count / 4096) {
            let other = Scene()
            try FileManager.default.createDirectory(atPath: other.folder, withIntermediateDirectories: true)
            var damaged = whole
            damaged.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(count: 4096))
            try damaged.write(to: URL(fileURLWithPath: other.path))
            let store = try other.open()
            _ = try store.listed()
            _ = try store.history(of: id("e1"))
            try store.store(record("new", at: 5), reason: .pause)
            guard page > 0 else { continue }
            let unsent = try store.unsent(limit: 100)
            for number in 1...40 {
                let held = unsent.first { $0.record.episode == id("e\(number)") }
                #expect(held?.record.position == Double(number) * 10, "page \(page + 1), episode \(number)")
            }
        }
    }

    @Test("OFF-09 a cut-off log loses the newest at most")
    @Core func truncatedLog() throws {
        let store = try scene.open()
        try store.store(record("a", at: 100), reason: .pause)
        try store.store(record("b", at: 200), reason: .pause)
        let copy = Scene()
        try FileManager.default.copyItem(atPath: scene.folder, toPath: copy.folder)
        let log = copy.path + "-wal"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: log))
        try bytes.prefix(bytes.count - 5000).write(to: URL(fileURLWithPath: log))
        let again = try copy.open()
        #expect(try again.record(of: id("a"))?.position == 100)
        withExtendedLifetime(store) {}
    }

    @Test("OFF-09 a file cut in half is put aside; what is in its front is saved")
    @Core func truncated() throws {
        try fill()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.path))
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: scene.path))
        let store = try scene.open()
        #expect(store.rescue != nil)
        try store.store(record("a", at: 5), reason: .pause)
    }

    @Test("OFF-07 an empty file beside a good copy brings the copy's positions back, to be compared with the server's")
    @Core func copy() throws {
        try fill()
        do {
            let store = try scene.open()
            try store.keepCopy()
        }
        try Data().write(to: URL(fileURLWithPath: scene.path))
        let store = try scene.open()
        #expect(try store.unsent(limit: 100).count == 40)
        #expect(try store.current()?.episode.id == id("e7"))
        #expect(try store.held(id("e1"))?.needsFetch == true)
    }

    @Test("OFF-08 a store of NULs beside a good copy loses no position")
    @Core func nulWithCopy() throws {
        try fill()
        try scene.open().keepCopy()
        try Data(count: 65536).write(to: URL(fileURLWithPath: scene.path))
        #expect(try scene.open().unsent(limit: 100).count == 40)
    }

    @Test("damage met while running is mended and the call goes through")
    @Core func whileRunning() throws {
        try fill()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.path))
        let store = try scene.open()
        // Every page but the first; the pages this connection has read already stay good in its cache.
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
        try handle.seek(toOffset: 4096)
        try handle.write(contentsOf: Data(repeating: 0xff, count: bytes.count - 4096))
        try handle.close()
        for number in 1...40 { _ = try store.entry(id("e\(number)")) }
        try store.store(record("new", at: 5), reason: .pause)
        #expect(try store.record(of: id("new"))?.position == 5)
    }

    @Test("a store cut off in the middle of being replaced goes on at the next start")
    @Core func halfReplaced() throws {
        try fill()
        for step in ["moved", "log left"] {
            let other = Scene()
            try FileManager.default.copyItem(atPath: scene.folder, toPath: other.folder)
            try FileManager.default.copyItem(atPath: other.path, toPath: other.path + ".new")
            try FileManager.default.moveItem(atPath: other.path, toPath: other.path + ".damaged-1")
            if step == "log left" {
                try Data(repeating: 1, count: 5000).write(to: URL(fileURLWithPath: other.path + "-wal"))
            }
            #expect(try other.open().record(of: id("e3"))?.position == 30)
            #expect(!other.names.contains("ipx-car.db.new"))
            #expect(other.names.contains("ipx-car.db.damaged-1-wal") == (step == "log left"))
        }
    }

    @Test("a store of a later version is put aside, its positions carried over")
    @Core func later() throws {
        try fill()
        let tool = Process()
        tool.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        tool.arguments = [scene.path, "PRAGMA user_version = 99; ALTER TABLE held ADD COLUMN mood TEXT"]
        try tool.run()
        tool.waitUntilExit()
        let store = try scene.open()
        #expect(store.rescue?.positions == 40)
    }
}
