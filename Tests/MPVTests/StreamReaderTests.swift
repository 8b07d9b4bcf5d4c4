import CMPV
import Testing

@testable import MPV

@Suite("A stream of our own, as libmpv calls it", .timeLimit(.minutes(1)))
struct StreamReaderTests {
    private final class Reader: StreamReader {
        func size() -> Int64? { 5 }
        func read(upTo count: Int) -> [UInt8]? { [1, 2, 3] }
        func seek(to offset: Int64) -> Bool { true }
        func cancel() { Issue.record("cancelled after its last call") }
        func close() {}
    }

    @Test("a cancel from another thread that comes after the close finds nothing, and breaks nothing")
    func lateCancel() throws {
        let scheme = StreamProtocol({ _ in Reader() }, ended: {})
        var info = mpv_stream_cb_info()
        let context = Unmanaged.passUnretained(scheme).toOpaque()
        var uri = Array("ipx://1".utf8CString)
        #expect(withExtendedLifetime(scheme) { openStream(context: context, uri: &uri, info: &info) } == 0)
        #expect(info.size_fn(info.cookie) == 5)
        info.close_fn(info.cookie)
        info.cancel_fn(info.cookie)
        #expect(info.read_fn(info.cookie, nil, 1) == -1)
        #expect(info.seek_fn(info.cookie, 0) < 0)
    }
}
