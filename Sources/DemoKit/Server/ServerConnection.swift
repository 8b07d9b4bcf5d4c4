import Glibc

/// One connection on its own thread: request after request until either side ends it.
struct ServerConnection {
    let fd: Int32
    let number: Int
    let server: DemoServer

    func serve() {
        var pending: [UInt8] = []
        while server.isAccepting, let request = next(&pending) {
            guard respond(to: request), request.headers["connection"]?.lowercased() != "close" else { return }
        }
    }

    /// True when the connection goes on.
    private func respond(to request: ServedRequest) -> Bool {
        let credential = server.credential(request)
        let (answer, violation) = server.answer(request)
        let line = server.log.add(
            LoggedRequest(
                number: 0, connection: number, request: request, credential: credential, time: monotonicSeconds(),
                violation: violation))
        hold(answer.delivery, after: line)
        defer { server.log.change(line) { $0.isFinished = true } }
        guard !answer.delivery.isSilent, server.isAccepting else { return false }
        server.log.change(line) { $0.status = answer.status }
        let transmission = Transmission(fd: fd, isOver: { !server.isAccepting }) { sent in
            server.log.change(line) { $0.sent = sent }
        }
        return transmission.send(answer, headOnly: request.method == "HEAD") == .keepAlive
    }

    /// Waits as the delivery wants; ends early when the server or the peer does.
    private func hold(_ delivery: Answer.Delivery, after line: Int) {
        let deadline = monotonicSeconds() + delivery.delay
        while monotonicSeconds() < deadline, !isOver(within: 5) {}
        guard let (count, path) = delivery.overtakenBy else { return }
        let isOvertaken = { server.log.requests(path).filter { $0.number > line && $0.isFinished }.count >= count }
        while !isOvertaken(), !isOver(within: 5) {}
    }

    private func isOver(within milliseconds: Int32) -> Bool {
        !server.isAccepting || Socket.isClosedByPeer(fd, within: milliseconds)
    }

    /// The next request with its body; nil at the end of the connection or when it isn't HTTP.
    private func next(_ pending: inout [UInt8]) -> ServedRequest? {
        let blank: [UInt8] = [13, 10, 13, 10]
        while true {
            if let end = Self.place(of: blank, in: pending) {
                guard var request = ServedRequest(head: String(decoding: pending[..<end], as: UTF8.self)) else { return nil }
                pending.removeFirst(end + 4)
                let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
                if request.headers["expect"] != nil { _ = Socket.send(fd, Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...]) }
                while pending.count < length {
                    guard let more = Socket.receive(fd) else { return nil }
                    pending += more
                }
                request.body = Array(pending.prefix(length))
                pending.removeFirst(length)
                return request
            }
            guard pending.count < 65536, let more = Socket.receive(fd) else { return nil }
            pending += more
        }
    }

    private static func place(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return (0...(bytes.count - pattern.count)).first { bytes[$0..<$0 + pattern.count].elementsEqual(pattern) }
    }
}
