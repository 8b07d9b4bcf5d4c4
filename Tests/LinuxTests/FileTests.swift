import Foundation
import Linux
import Testing

func removeTree(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

@Suite("Small files and folders", .timeLimit(.minutes(1)))
struct FileTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("a file is replaced whole, with the mode asked for, and leaves nothing beside it")
    func replace() throws {
        let path = scratch.file("token")
        try SmallFile.write(Array("old".utf8), to: path, mode: 0o644)
        try SmallFile.write(Array("new".utf8), to: path)
        #expect(try SmallFile.read(path) == Array("new".utf8))
        #expect(try SmallFile.mode(of: path) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["token"])
    }

    @Test("OFF-07 a write that fails leaves the old file and no left-over")
    func failedWrite() throws {
        let path = scratch.file("folder")
        try Folder.make(path)
        #expect(throws: Errno.self) { try SmallFile.write([1], to: path) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["folder"])
    }

    @Test("a file over the limit is refused, one at the limit is read")
    func limit() throws {
        let path = scratch.file("big")
        try SmallFile.write([UInt8](repeating: 7, count: 100), to: path)
        #expect(try SmallFile.read(path, limit: 100).count == 100)
        #expect(throws: Errno.tooLarge) { try SmallFile.read(path, limit: 99) }
        #expect(throws: Errno.noSuchFile) { try SmallFile.read(scratch.file("none")) }
    }

    @Test("folders above are made too, with the mode asked for whatever the umask")
    func folders() throws {
        let path = scratch.file("a/b/c")
        try Folder.make(path, mode: 0o750)
        try Folder.make(path, mode: 0o750)
        #expect(try SmallFile.mode(of: path) == 0o750)
        #expect(Folder.isFolder(path))
        try SmallFile.write([], to: scratch.file("file"))
        #expect(throws: Errno.self) { try Folder.make(scratch.file("file")) }
    }

    @Test("a folder that was there keeps the mode its owner gave it")
    func existingFolder() throws {
        try Folder.make(scratch.file("mine"), mode: 0o755)
        try Folder.make(scratch.file("mine"), mode: 0o700)
        #expect(try SmallFile.mode(of: scratch.file("mine")) == 0o755)
    }

    @Test("parent of a path", arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("/a/b/", "/a"), ("/", "/")])
    func parent(path: String, parent: String) { #expect(Folder.parent(of: path) == parent) }

    @Test("removing says whether there was one")
    func remove() throws {
        try SmallFile.create(scratch.file("x"))
        #expect(SmallFile.isEmpty(scratch.file("x")))
        #expect(try SmallFile.remove(scratch.file("x")))
        #expect(try !SmallFile.remove(scratch.file("x")))
        #expect(!SmallFile.isEmpty(scratch.file("x")))
    }

    @Test("OFF-17 the file system of a folder is told: this one is not FAT and has room")
    func filesystem() throws {
        #expect(try !Filesystem.isFAT(scratch.path))
        #expect(try Filesystem.free(scratch.path) > 0)
        #expect(throws: Errno.noSuchFile) { try Filesystem.isFAT(scratch.file("none")) }
    }

    @Test("an error number says what the C library says")
    func words() { #expect(Errno.noSpace.description == "No space left on device") }

    @Test("a folder has one owner at a time; one that goes gives it back")
    func folderLock() throws {
        func isFree() throws -> Bool {
            do throws(Errno) {
                _ = try FolderLock.take(scratch.path)
                return true
            } catch {
                guard error == .wouldBlock else { throw error }
                return false
            }
        }
        func whileTaken() throws {
            let lock = try FolderLock.take(scratch.path)
            #expect(try !isFree())
            lock.release()
        }
        try whileTaken()
        #expect(try isFree())
        #expect(throws: Errno.noSuchFile) { _ = try FolderLock.take(scratch.file("nowhere")) }
    }
}
