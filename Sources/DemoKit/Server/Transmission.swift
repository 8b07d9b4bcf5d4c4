import Glibc

/// Sends one answer over one connection, as well or as badly as its delivery says.
struct Transmission {
    enum End { case keepAlive, closed }

    let fd: Int32
    /// True once the server stops: every wait ends.
    let isOver: () -> Bool
    let progress: (Int) -> Void

    /// Head and body; `isHead`: the body stays here (HEAD).
    func send(_ answer: Answer, headOnly: Bool) -> End {
        let count = Self.count(of: answer.body)
        guard Socket.send(fd, Self.head(answer, count: count)[...]) else { return .closed }
        guard !headOnly, answer.status != 204, answer.status != 304 else { return .keepAlive }
        let delivery = answer.delivery
        let limit = min(delivery.limit ?? count, count)
        guard sendBody(answer, upTo: limit) else { return .closed }
        switch delivery.end {
        case .complete: return finish(delivery, sentAll: limit == count)
        case .close: return .closed
        case .reset:
            Socket.resetOnClose(fd)
            return .closed
        case .stall:
            while !isOver(), !Socket.isClosedByPeer(fd, within: 20) {}
            return .closed
        }
    }

    private func finish(_ delivery: Answer.Delivery, sentAll: Bool) -> End {
        if let lastChunk = delivery.lastChunk {
            return lastChunk && Socket.send(fd, Array("0\r\n\r\n".utf8)[...]) ? .keepAlive : .closed
        }
        // With a false length nobody knows where the next answer begins.
        return sentAll && delivery.contentLength == nil ? .keepAlive : .closed
    }

    private func sendBody(_ answer: Answer, upTo limit: Int) -> Bool {
        let rate = answer.delivery.bytesPerSecond
        let piece = rate.map { max(1, $0 / 20) } ?? 65536
        var sent = 0
        while sent < limit {
            if isOver() { return false }
            let bytes = Self.bytes(of: answer.body, from: sent, count: min(piece, limit - sent))
            guard !bytes.isEmpty else { return false }
            guard sendPiece(bytes, chunked: answer.delivery.lastChunk != nil) else { return false }
            sent += bytes.count
            progress(sent)
            if let rate { usleep(UInt32(Double(bytes.count) / Double(rate) * 1e6)) }
        }
        return true
    }

    private func sendPiece(_ bytes: [UInt8], chunked: Bool) -> Bool {
        guard chunked else { return Socket.send(fd, bytes[...]) }
        let framed = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
        return Socket.send(fd, framed[...])
    }

    private static func head(_ answer: Answer, count: Int) -> [UInt8] {
        var answer = answer
        if answer.delivery.lastChunk != nil {
            answer.set("Transfer-Encoding", "chunked")
        } else if answer.status != 204, answer.status != 304 {
            answer.set("Content-Length", String(answer.delivery.contentLength ?? count))
        }
        let lines = answer.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        return Array("HTTP/1.1 \(answer.status) \(Answer.reason(answer.status))\r\n\(lines)\r\n".utf8)
    }

    static func count(of body: Answer.Body) -> Int {
        switch body {
        case .bytes(let bytes): bytes.count
        case .json(let value): value.bytes.count
        case .file(_, _, let count): count
        }
    }

    static func bytes(of body: Answer.Body) -> [UInt8] { bytes(of: body, from: 0, count: count(of: body)) }

    private static func bytes(of body: Answer.Body, from start: Int, count: Int) -> [UInt8] {
        switch body {
        case .bytes(let bytes): Array(bytes[start..<min(bytes.count, start + count)])
        case .json(let value): bytes(of: .bytes(value.bytes), from: start, count: count)
        case .file(let path, let offset, _): read(path, from: offset + start, count: count)
        }
    }

    private static func read(_ path: String, from offset: Int, count: Int) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: count)
        let got = pread(file, &buffer, count, off_t(offset))
        return got > 0 ? Array(buffer.prefix(got)) : []
    }
}
