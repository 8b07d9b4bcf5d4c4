import Foundation
import Testing

@testable import Linux

@Suite("Word to systemd", .serialized, .timeLimit(.minutes(1)))
struct ServiceNotificationTests {
    @Test("every word arrives at the socket; a status is one line")
    func words() throws {
        let scratch = try Scratch()
        let socket = try NotifySocket(scratch.file("notify"))
        setenv("NOTIFY_SOCKET", scratch.file("notify"), 1)
        defer { unsetenv("NOTIFY_SOCKET") }
        ServiceNotification.ready.send()
        #expect(socket.receive() == "READY=1")
        ServiceNotification.status("playing\nREADY=1").send()
        #expect(socket.receive() == "STATUS=playing READY=1")
        ServiceNotification.watchdog.send()
        #expect(socket.receive() == "WATCHDOG=1")
        ServiceNotification.stopping.send()
        #expect(socket.receive() == "STOPPING=1")
        ServiceNotification.reloading.send()
        #expect(socket.receive()?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
    }

    @Test("the watchdog's interval counts for this process only")
    func watchdog() {
        defer { for name in ["WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) } }
        #expect(ServiceNotification.watchdogInterval == nil)
        setenv("WATCHDOG_USEC", "30000000", 1)
        #expect(ServiceNotification.watchdogInterval == 30_000_000_000)
        setenv("WATCHDOG_PID", "1", 1)
        #expect(ServiceNotification.watchdogInterval == nil)
    }
}

/// systemd's end of the socket.
private final class NotifySocket {
    private let number: Int32

    init(_ path: String) throws {
        number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, size) }
        }
        try #require(code == 0)
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    func receive() -> String? {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = recv(number, &bytes, bytes.count, 0)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    deinit { close(number) }
}
