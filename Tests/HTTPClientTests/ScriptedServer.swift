import Glibc
import Synchronization

/// A server that answers byte for byte what a test says, a thread for each connection; until `stop`, or the end of the tests.
final class ScriptedServer: Sendable {
    /// What to do with a request, given its text and its number from 0.
    typealias Script = @Sendable (String, Int) -> Answer

    enum Answer: Sendable {
        /// Sent as it is; then the next request is read, or the connection closed.
        case bytes([UInt8], close: Bool)

        static func text(_ text: String, close: Bool = false) -> Answer { .bytes(Array(text.utf8), close: close) }

        /// A right answer with this body.
        static func ok(_ body: String = "fine", headers: [String] = []) -> Answer {
            let lines = headers.map { $0 + "\r\n" }.joined()
            return .text("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(lines)\r\n\(body)")
        }

        static func redirect(_ location: String, status: Int = 302) -> Answer {
            .text("HTTP/1.1 \(status) Go on\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
        }
    }

    let port: UInt16
    let address: String
    private let listener: Int32
    private let script: Script
    private let seen = Mutex<[String]>([])

    var origin: String { "http://\(address):\(port)" }
    /// Heads of the requests as they came.
    var requests: [String] { seen.withLock { $0 } }

    init(_ address: String = "127.0.0.1", _ script: @escaping Script) throws {
        self.address = address
        self.script = script
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, address, &name.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let fd = listener
        let result = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(fd, address, length) == 0 && listen(fd, 16) == 0 && getsockname(fd, address, &length) == 0
            }
        }
        guard result else { throw Failed(code: errno) }
        port = UInt16(bigEndian: name.sin_port)
        start { [self] in
            while true {
                let connection = accept(fd, nil, nil)
                guard connection >= 0 else { return _ = close(fd) }
                start { self.serve(connection) }
            }
        }
    }

    struct Failed: Error {
        var code: Int32
    }

    /// Connections are refused from here on.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func start(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Box(body))
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            {
                // swift-format-ignore: NeverForceUnwrap
                Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        pthread_detach(thread)
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        while let request = readRequest(connection) {
            let number = seen.withLock {
                $0.append(request)
                return $0.count - 1
            }
            guard case .bytes(let bytes, let isLast) = script(request, number) else { return }
            guard send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count, !isLast else { return }
        }
    }

    /// Head and body; nil at the end of the connection.
    private func readRequest(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard read(connection, &byte, 1) == 1 else { return nil }
            bytes.append(byte)
        }
        let head = String(decoding: bytes, as: UTF8.self)
        let lengthLine = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        var left = lengthLine.flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) } ?? 0
        while left > 0, read(connection, &byte, 1) == 1 {
            bytes.append(byte)
            left -= 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
