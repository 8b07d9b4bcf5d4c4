import CMPV
import Synchronization

/// The bytes behind one URL of a custom protocol (stream_cb.h). Called on mpv's threads: `read`, `seek` and `size` from one at a
/// time, `cancel` from any other meanwhile. None of them may call back into the player.
public protocol StreamReader: AnyObject, Sendable {
    /// Bytes in all; nil: unknown. May block.
    func size() -> Int64?
    /// Up to `count` bytes; empty: the end; nil: failed or cancelled. May block until there is one.
    func read(upTo count: Int) -> [UInt8]?
    /// False: can't.
    func seek(to offset: Int64) -> Bool
    /// Ends a blocking call now and every later one; must not block itself.
    func cancel()
    /// The last call; the reader is let go after it.
    func close()
}

/// Finds the reader of a URL; nil: there is none. Called on mpv's opener thread, also for a load that is given up meanwhile.
public typealias StreamOpener = @Sendable (String) -> (any StreamReader)?

/// mpv's `user_data` of the protocol: unretained there, held by `MPVHandle` until mpv has ended.
final class StreamProtocol: Sendable {
    let open: StreamOpener
    /// To be called after `mpv_terminate_destroy` returned.
    let ended: @Sendable () -> Void

    init(_ open: @escaping StreamOpener, ended: @escaping @Sendable () -> Void) {
        self.open = open
        self.ended = ended
    }
}

/// The open streams by number. The number is mpv's cookie, not an address: mpv calls `cancel_fn` on another thread also while and
/// after it calls `close_fn` (stream_cb.c keeps the callback until the stream is freed), and must then find nothing.
private final class OpenStreams: Sendable {
    static let all = OpenStreams()

    private struct State {
        var readers: [UInt: any StreamReader] = [:]
        var last: UInt = 0
    }

    private let state = Mutex(State())

    func add(_ reader: any StreamReader) -> UnsafeMutableRawPointer? {
        let number = state.withLock {
            $0.last += 1
            $0.readers[$0.last] = reader
            return $0.last
        }
        return UnsafeMutableRawPointer(bitPattern: number)
    }

    subscript(cookie: UnsafeMutableRawPointer?) -> (any StreamReader)? {
        let number = UInt(bitPattern: cookie)
        return state.withLock { $0.readers[number] }
    }

    func remove(_ cookie: UnsafeMutableRawPointer?) -> (any StreamReader)? {
        let number = UInt(bitPattern: cookie)
        return state.withLock { $0.readers.removeValue(forKey: number) }
    }
}

extension StreamReader {
    /// Into mpv's buffer; the number of bytes, 0 at the end, -1 when failed.
    fileprivate func read(into buffer: UnsafeMutablePointer<CChar>?, upTo count: UInt64) -> Int64 {
        // A reader may not give more than asked; a bound keeps one careless `count` from asking for gigabytes.
        let count = Int(min(count, 1 << 20))
        guard let buffer, let bytes = read(upTo: count), bytes.count <= count else { return -1 }
        bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: buffer, count: count).copyMemory(from: $0) }
        return Int64(bytes.count)
    }
}

/// `mpv_stream_cb_open_ro_fn`.
func openStream(
    context: UnsafeMutableRawPointer?, uri: UnsafeMutablePointer<CChar>?, info: UnsafeMutablePointer<mpv_stream_cb_info>?
) -> Int32 {
    guard let context, let uri, let info else { return MPV_ERROR_LOADING_FAILED.rawValue }
    let scheme = Unmanaged<StreamProtocol>.fromOpaque(context).takeUnretainedValue()
    guard let reader = scheme.open(String(cString: uri)) else { return MPV_ERROR_LOADING_FAILED.rawValue }
    info.pointee.cookie = OpenStreams.all.add(reader)
    info.pointee.size_fn = { OpenStreams.all[$0]?.size() ?? Int64(MPV_ERROR_UNSUPPORTED.rawValue) }
    info.pointee.seek_fn = { OpenStreams.all[$0]?.seek(to: $1) == true ? $1 : Int64(MPV_ERROR_UNSUPPORTED.rawValue) }
    info.pointee.cancel_fn = { OpenStreams.all[$0]?.cancel() }
    info.pointee.read_fn = { OpenStreams.all[$0]?.read(into: $1, upTo: $2) ?? -1 }
    info.pointee.close_fn = { OpenStreams.all.remove($0)?.close() }
    return 0
}
