import MPV
import Playback
import Synchronization

/// The readers by the URL mpv is told: `ipx://ATTEMPT`. mpv asks on a thread of its own.
final class ReaderShelf: Sendable {
    private let readers = Mutex<[String: any EpisodeReader]>([:])

    func put(_ reader: any EpisodeReader, for attempt: UInt64) {
        // One at a time: whoever still reads an older one has its own reference.
        readers.withLock { $0 = [Self.url(attempt): reader] }
    }

    func clear() { readers.withLock { $0 = [:] } }

    func open(_ url: String) -> (any StreamReader)? {
        readers.withLock { $0[url] }.map(EpisodeStream.init)
    }

    static func url(_ attempt: UInt64) -> String { "\(EngineOptions.scheme)://\(attempt)" }
}

/// One pass of mpv over an episode's bytes: the reader plus a place in it.
private final class EpisodeStream: StreamReader {
    private let reader: any EpisodeReader
    private let offset = Mutex<Int64>(0)

    init(_ reader: any EpisodeReader) { self.reader = reader }

    func size() -> Int64? { reader.size() }

    func read(upTo count: Int) -> [UInt8]? {
        switch reader.read(at: offset.withLock { $0 }, upTo: count) {
        case .bytes(let bytes):
            offset.withLock { $0 += Int64(bytes.count) }
            return bytes
        case .end: return []
        case .failed, .cancelled: return nil
        }
    }

    func seek(to place: Int64) -> Bool {
        offset.withLock { $0 = place }
        return true
    }

    func cancel() { reader.cancel() }

    func close() {}
}
