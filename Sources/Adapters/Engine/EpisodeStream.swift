import MPV
import Playback
import Synchronization

/// One episode's bytes as mpv reads them, for one attempt to play it: the reader, a place in it, and what the engine wants to
/// know of the reading.
final class EpisodeStream: StreamReader {
    struct Reading {
        var offset: Int64 = 0
        /// Behind the last byte that was ever read.
        var furthest: Int64 = 0
        /// In a call that may wait for bytes.
        var isWaiting = false
        /// The last bytes handed out were the file's last ones, or there were none left.
        var isAtEnd = false
        /// mpv asked for the size and was told one.
        var hasSize = false
        /// Grows with every answer of the reader.
        var answers = 0
    }

    let reader: any EpisodeReader
    private let state = Mutex(Reading())

    init(_ reader: any EpisodeReader) { self.reader = reader }

    var reading: Reading { state.withLock { $0 } }

    func size() -> Int64? {
        state.withLock { $0.isWaiting = true }
        let size = reader.size()
        state.withLock { reading in
            reading.answered()
            reading.hasSize = size != nil
        }
        return size
    }

    func read(upTo count: Int) -> [UInt8]? {
        let offset = state.withLock { reading in
            reading.isWaiting = true
            return reading.offset
        }
        let outcome = reader.read(at: offset, upTo: count)
        state.withLock { $0.heard(outcome, hasReadToEnd: reader.hasReadToEnd) }
        return switch outcome {
        case .bytes(let bytes): bytes
        case .end: []
        case .failed, .cancelled: nil
        }
    }

    func seek(to place: Int64) -> Bool {
        state.withLock { $0.offset = place }
        return true
    }

    func cancel() { reader.cancel() }

    func close() {}
}

extension EpisodeStream.Reading {
    mutating func answered() {
        isWaiting = false
        answers += 1
    }

    /// `hasReadToEnd` alone is not enough: many files are looked at from behind before they play.
    mutating func heard(_ outcome: ReadOutcome, hasReadToEnd: Bool) {
        answered()
        switch outcome {
        case .bytes(let bytes):
            offset += Int64(bytes.count)
            furthest = max(furthest, offset)
            isAtEnd = hasReadToEnd && offset >= furthest
        case .end: isAtEnd = true
        case .failed, .cancelled: isAtEnd = false
        }
    }
}
