import Glibc

/// A private folder under `TMPDIR` (or /tmp), mode 0700; gone with `remove()`.
public struct TemporaryFolder: Sendable {
    public let path: String

    public init(_ purpose: String) throws(DemoError) {
        let base = ChildProcess.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(base)/ipxcar-\(purpose)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw DemoError("no temporary folder in \(base)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    public func remove() { removeTree(path) }
}

/// A file, or a folder with all in it; links are removed, not followed.
func removeTree(_ path: String) {
    if let folder = opendir(path) {
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            if entry.pointee.d_type == UInt8(DT_DIR) { removeTree("\(path)/\(name)") } else { unlink("\(path)/\(name)") }
        }
        closedir(folder)
    }
    Glibc.remove(path)
}

/// The text of a file; nil when it cannot be read.
func readText(_ path: String) -> String? {
    readBytes(path).map { String(decoding: $0, as: UTF8.self) }
}

func readBytes(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(file, &buffer, buffer.count)
        if count < 0 { return nil }
        if count == 0 { return bytes }
        bytes += buffer[0..<count]
    }
}

func writeBytes(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws(DemoError) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard file >= 0 else { throw DemoError("\(path): \(String(cString: strerror(errno)))") }
    defer { close(file) }
    var done = 0
    while done < bytes.count {
        let count = bytes[done...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard count > 0 else { throw DemoError("\(path): \(String(cString: strerror(errno)))") }
        done += count
    }
}
