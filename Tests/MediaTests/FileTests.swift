import DemoKit
import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Linux

@Suite("Files at offsets, folders, and waiting for a value", .timeLimit(.minutes(1)))
struct FileTests {
    private func inFolder(_ body: (Directory) async throws -> Void) async throws {
        let folder = try TemporaryFolder("files")
        defer { folder.remove() }
        try await body(Directory(folder.path + "/deep/er"))
    }

    @Test("bytes are read back where they were written; a hole is zeros; past the end there is nothing")
    func offsets() async throws {
        try await inFolder { folder in
            try folder.make()
            let file = try RandomAccessFile.create(folder.path(of: "a"))
            try file.write([1, 2, 3], at: 10)
            try file.write([9], at: 0)
            #expect(try file.read(at: 0, upTo: 12) == [9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2])
            #expect(try file.read(at: 12, upTo: 100) == [3])
            #expect(try file.read(at: 13, upTo: 5).isEmpty && file.size() == 13)
            try file.synchronizeData()
            try file.synchronize()
            var status = stat()
            #expect(stat(folder.path(of: "a"), &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
    }

    @Test("a file made anew leaves the former one to who has it open")
    func replaced() async throws {
        try await inFolder { folder in
            try folder.make()
            let old = try RandomAccessFile.create(folder.path(of: "a"))
            try old.write([1], at: 0)
            let new = try RandomAccessFile.create(folder.path(of: "a"))
            #expect(try new.size() == 0 && old.read(at: 0, upTo: 9) == [1])
        }
    }

    @Test("a missing file, a link, a pipe and a folder are no files to open")
    func refused() async throws {
        try await inFolder { folder in
            try folder.make()
            symlink("/etc/hostname", folder.path(of: "link"))
            mkfifo(folder.path(of: "pipe"), 0o600)
            mkdir(folder.path(of: "folder"), 0o700)
            for name in ["missing", "link", "pipe", "folder"] {
                #expect(throws: Errno.self) { try RandomAccessFile.open(folder.path(of: name), writable: false) }
                #expect(folder.size(of: name) == nil)
            }
        }
    }

    @Test("a full disk is told as such")
    func full() throws {
        let file = RandomAccessFile(owning: open("/dev/full", O_RDWR | O_CLOEXEC))
        #expect(throws: Errno.noSpace) { try file.write([1], at: 0) }
    }

    @Test("names, renaming onto another, removing what is not there")
    func names() async throws {
        try await inFolder { folder in
            try folder.make()
            try folder.make()
            try RandomAccessFile.create(folder.path(of: "a")).write([1, 2], at: 0)
            _ = try RandomAccessFile.create(folder.path(of: "b"))
            #expect(try Set(folder.names()) == ["a", "b"])
            try folder.rename("a", to: "b")
            #expect(try folder.names() == ["b"] && folder.size(of: "b") == 2)
            try folder.remove("b")
            try folder.remove("b")
            #expect(try folder.names().isEmpty && folder.free() > 0)
            #expect(throws: Errno.noSuchFile) { try folder.rename("a", to: "b") }
        }
    }

    @Test("every waiter sees the change it waits for, and none is lost among many")
    func monitor() async {
        let monitor = Monitor(0)
        let seen = Mutex<Set<Int>>([])
        let group = DispatchGroup()
        for number in 1...20 {
            group.enter()
            DispatchQueue(label: "waiter").async {
                _ = monitor.wait { $0 >= number ? true : nil }
                seen.withLock { _ = $0.insert(number) }
                group.leave()
            }
        }
        for _ in 1...20 { monitor.change { $0 += 1 } }
        await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
        #expect(seen.withLock { $0.count } == 20 && monitor.look { $0 } == 20)
    }
}
