import Glibc

/// The socket calls of the server, each with its C convention in one place.
enum Socket {
    struct Failed: Error, CustomStringConvertible {
        var call: String
        var code: Int32
        var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    /// A TCP socket bound to a numeric IPv4 address; port 0: any. Two may share a port as long as one of them listens.
    static func bound(_ address: String, port: UInt16) throws -> Int32 {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard fd >= 0 else { throw Failed(call: "socket", code: errno) }
        setFlag(fd, SOL_SOCKET, SO_REUSEADDR)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        guard inet_pton(AF_INET, address, &name.sin_addr) == 1 else {
            Glibc.close(fd)
            throw Failed(call: "address \(address)", code: EINVAL)
        }
        let result = withAddress(&name) { bind(fd, $0, $1) }
        guard result == 0 else {
            let code = errno
            Glibc.close(fd)
            throw Failed(call: "bind \(address):\(port)", code: code)
        }
        return fd
    }

    static func port(of fd: Int32) -> UInt16 {
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(fd, $0, &length) }
        }
        return UInt16(bigEndian: name.sin_port)
    }

    static func setFlag(_ fd: Int32, _ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(fd, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The next `close` sends RST (socket(7), SO_LINGER with 0).
    static func resetOnClose(_ fd: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// All of `bytes`; false when the peer is gone.
    static func send(_ fd: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// At least one byte; nil when the peer is done or gone.
    static func receive(_ fd: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = recv(fd, &buffer, buffer.count, 0)
            if count < 0 && errno == EINTR { continue }
            return count > 0 ? Array(buffer.prefix(count)) : nil
        }
    }

    /// True when the peer closed its side; waits at most `milliseconds` for it.
    static func isClosedByPeer(_ fd: Int32, within milliseconds: Int32) -> Bool {
        // POLLRDHUP of poll(2): a GNU extension that the importer leaves out.
        var item = pollfd(fd: fd, events: 0x2000, revents: 0)
        return poll(&item, 1, milliseconds) > 0
    }

    private static func withAddress(_ name: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32)
        -> Int32
    {
        withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}

/// Runs `body` on a thread of its own, which nobody joins.
func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    let result = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, box.toOpaque())
    guard result == 0 else { return box.release() }
    pthread_detach(thread)
}
