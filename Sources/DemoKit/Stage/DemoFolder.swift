import Glibc

/// Where a demo keeps the service's state, its cache and its log between runs.
public final class DemoFolder: Sendable {
    public let path: String
    /// Another demo has the kept folder: this one starts from nothing and leaves nothing.
    public let isTemporary: Bool
    private let lock: Int32
    private let temporary: TemporaryFolder?

    /// `path`: nil is the cache folder of the user.
    public init(_ path: String? = nil) throws(DemoError) {
        let wanted = path ?? demoCacheFolder + "/drive"
        try makeFolder(wanted)
        let file = open(wanted + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw DemoError("\(wanted): \(String(cString: strerror(errno)))") }
        lock = file
        if flock(file, LOCK_EX | LOCK_NB) == 0 {
            self.path = absolute(wanted)
            isTemporary = false
            temporary = nil
        } else {
            let folder = try TemporaryFolder("demo")
            self.path = folder.path
            isTemporary = true
            temporary = folder
        }
    }

    deinit {
        close(lock)
        temporary?.remove()
    }

    var log: String { path + "/service.log" }

    /// The service's configuration for this run, and its token beside it.
    func write(server: String, token: String) throws(DemoError) {
        try writeBytes(Array((token + "\n").utf8), to: path + "/token")
        let text = """
            # Written anew by every run of ipx-car-demo.
            [server]
            address=\(server)
            token-file=\(path)/token
            [remote]
            announce=no
            [log]
            level=debug

            """
        try writeBytes(Array(text.utf8), to: path + "/ipx-car.conf")
        unlink(log)
    }

    func readPositions(into library: inout DemoLibrary) {
        if let text = readText(path + "/served") { ServedPositions.apply(text, to: &library) }
    }

    func keepPositions(of library: DemoLibrary) {
        let part = path + "/served.new"
        guard (try? writeBytes(Array(ServedPositions.text(of: library).utf8), to: part)) != nil else { return }
        rename(part, path + "/served")
    }
}

/// The service is started elsewhere than we were.
private func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return String(cString: here) + "/" + path
}
