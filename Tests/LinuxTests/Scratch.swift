import Linux

/// A folder of its own for one test, gone with it.
final class Scratch {
    let path: String

    init() throws {
        path = "/tmp/ipx-car-test-\(RandomBytes.hex(6))"
        try Folder.make(path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    deinit { removeTree(path) }
}
