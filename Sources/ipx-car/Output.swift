import Glibc

/// Standard output and error, unbuffered: `status --follow` is read line by line by others.
enum Output {
    static func line(_ text: String) throws(Failed) { try write(text + "\n") }

    static func write(_ text: String) throws(Failed) {
        guard put(text, on: STDOUT_FILENO) else { throw Failed("standard output: \(String(cString: strerror(errno)))") }
    }

    static func complain(_ line: String) { _ = put("ipx-car: \(line)\n", on: STDERR_FILENO) }

    private static func put(_ text: String, on descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }
}
