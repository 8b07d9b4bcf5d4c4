import Glibc
import MPV
import Synchronization

/// Bytes in memory as a stream of mpv's; with `blocks` a read waits until it is cancelled.
final class MemoryStream: StreamReader {
    private struct State {
        var offset = 0
        var isCancelled = false
        var isReading = false
        var isClosed = false
    }

    private let bytes: [UInt8]
    private let blocks: Bool
    private let state = Mutex(State())

    init(_ bytes: [UInt8], blocks: Bool = false) {
        self.bytes = bytes
        self.blocks = blocks
    }

    var isReading: Bool { state.withLock { $0.isReading } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func size() -> Int64? { Int64(bytes.count) }

    func read(upTo count: Int) -> [UInt8]? {
        state.withLock { $0.isReading = true }
        while blocks, !isCancelled { usleep(1_000) }
        return state.withLock { state in
            if state.isCancelled { return nil }
            let end = min(bytes.count, state.offset + count)
            defer { state.offset = end }
            return Array(bytes[min(state.offset, end)..<end])
        }
    }

    func seek(to offset: Int64) -> Bool {
        state.withLock { $0.offset = Int(offset) }
        return true
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    func close() { state.withLock { $0.isClosed = true } }
}
