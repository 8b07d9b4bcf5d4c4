import CMPV

/// The bytes behind one URL of a custom protocol (stream_cb.h). Called on mpv's threads: `read`, `seek` and `size` from one at a
/// time, `cancel` from any other meanwhile.
public protocol StreamReader: AnyObject, Sendable {
    /// Bytes in all; nil: unknown.
    func size() -> Int64?
    /// Up to `count` bytes; empty: the end; nil: failed or cancelled. May block until there is one.
    func read(upTo count: Int) -> [UInt8]?
    /// False: can't.
    func seek(to offset: Int64) -> Bool
    /// Ends a blocking `read` now and every later one.
    func cancel()
    func close()
}

/// Finds the reader of a URL; nil: there is none. Called on mpv's opener thread.
public typealias StreamOpener = @Sendable (String) -> (any StreamReader)?

/// Keeps the opener alive: owned by the `MPVPlayer`, which outlives its handle's use of it.
final class StreamProtocol: Sendable {
    let open: StreamOpener

    init(_ open: @escaping StreamOpener) { self.open = open }
}

/// The reader as mpv's cookie: retained here, released by `close_fn`, which mpv calls once for each opened stream.
private final class OpenStream {
    let reader: any StreamReader

    init(_ reader: any StreamReader) { self.reader = reader }

    static func at(_ cookie: UnsafeMutableRawPointer?) -> OpenStream {
        // swift-format-ignore: NeverForceUnwrap
        Unmanaged<OpenStream>.fromOpaque(cookie!).takeUnretainedValue()
    }
}

func openStream(
    context: UnsafeMutableRawPointer?, uri: UnsafeMutablePointer<CChar>?, info: UnsafeMutablePointer<mpv_stream_cb_info>?
) -> Int32 {
    guard let context, let uri, let info else { return Int32(MPV_ERROR_LOADING_FAILED.rawValue) }
    let scheme = Unmanaged<StreamProtocol>.fromOpaque(context).takeUnretainedValue()
    guard let reader = scheme.open(String(cString: uri)) else { return Int32(MPV_ERROR_LOADING_FAILED.rawValue) }
    info.pointee.cookie = Unmanaged.passRetained(OpenStream(reader)).toOpaque()
    info.pointee.size_fn = { OpenStream.at($0).reader.size() ?? Int64(MPV_ERROR_UNSUPPORTED.rawValue) }
    info.pointee.seek_fn = { OpenStream.at($0).reader.seek(to: $1) ? $1 : Int64(MPV_ERROR_UNSUPPORTED.rawValue) }
    info.pointee.cancel_fn = { OpenStream.at($0).reader.cancel() }
    info.pointee.close_fn = { cookie in
        OpenStream.at(cookie).reader.close()
        // swift-format-ignore: NeverForceUnwrap
        Unmanaged<OpenStream>.fromOpaque(cookie!).release()
    }
    info.pointee.read_fn = { cookie, buffer, count in
        guard let buffer, let bytes = OpenStream.at(cookie).reader.read(upTo: Int(min(count, 1 << 20))) else { return -1 }
        bytes.withUnsafeBytes {
            UnsafeMutableRawPointer(buffer).copyMemory(
                from: $0.baseAddress ?? UnsafeRawPointer(buffer), byteCount: bytes.count)
        }
        return Int64(bytes.count)
    }
    return 0
}
