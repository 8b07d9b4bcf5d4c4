import CCurl
import Glibc

/// `errno` as an error.
struct Errno: Error, Hashable {
    var code: Int32

    static var last: Errno { Errno(code: errno) }
    var reason: String { String(cString: strerror(code)) }
}

/// The cookies of one cookies.txt, held by a libcurl share so that transfers side by side see each other's. Confined to the
/// loop's thread, so the share needs no lock.
final class CookieJar {
    let share: UnsafeMutableRawPointer
    private let path: String
    private(set) var seen: FileMark?

    init?(path: String) {
        guard let share = curl_share_init(), let seed = EasyHandle() else { return nil }
        self.share = share
        self.path = path
        _ = ccurl_share_cookies(share)
        seed.use(self)
        seen = FileMark(path)
        for line in Self.lines(path) where Self.isCookie(line) { seed.set(CURLOPT_COOKIELIST, line) }
        // Handles let go of the share before the jar may.
        seed.set(CURLOPT_SHARE, pointer: nil)
    }

    deinit { curl_share_cleanup(share) }

    /// Another program wrote the file since.
    var isStale: Bool { FileMark(path) != seen }

    /// New name, fsync, rename, fsync of the folder; readable by us alone from its first byte on.
    func save(_ cookies: [String]) throws(Errno) {
        let text = (["# Netscape HTTP Cookie File"] + cookies).joined(separator: "\n") + "\n"
        let new = path + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .last }
        let wasWritten = fchmod(file, 0o600) == 0 && Self.write(Array(text.utf8), to: file) && fsync(file) == 0
        let error = Errno.last
        close(file)
        guard wasWritten else { throw error }
        guard rename(new, path) == 0 else { throw .last }
        Self.syncFolder(of: path)
        seen = FileMark(path)
    }

    /// `#HttpOnly_` begins a cookie, any other `#` a comment.
    private static func isCookie(_ line: String) -> Bool {
        !line.isEmpty && (!line.hasPrefix("#") || line.hasPrefix("#HttpOnly_"))
    }

    private static func lines(_ path: String) -> [String] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = read(file, &chunk, chunk.count)
            guard count > 0, bytes.count < 4 << 20 else { break }
            bytes += chunk[..<count]
        }
        return bytes.split { $0 == 10 || $0 == 13 }.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            // swift-format-ignore: NeverForceUnwrap
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, bytes.count - done) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    private static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let file = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return }
        fsync(file)
        close(file)
    }
}

/// Tells one state of a file from the next.
struct FileMark: Hashable {
    private let inode: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}

/// The jars in use, by path.
struct CookieJars {
    private var jars: [String: CookieJar] = [:]

    mutating func jar(_ path: String) -> CookieJar? {
        if let jar = jars[path], !jar.isStale { return jar }
        let jar = CookieJar(path: path)
        jars[path] = jar
        return jar
    }
}
