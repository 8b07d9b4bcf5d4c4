import CPulse
import Glibc
import Synchronization

/// Records what a sink plays, through its monitor, with monotonic times. Ends by itself when the sink goes: the stream is
/// forbidden to move, so nothing of another sink is ever recorded.
public final class MonitorCapture: Sendable {
    private let tape: Tape
    private let stream: Mutex<Stream?>

    /// Blocks until the recording runs. Mono, `rate` samples a second.
    public init(server: String, sink: String, rate: Int = 22_050) throws(DemoError) {
        let tape = Tape(rate: rate)
        self.tape = tape
        stream = Mutex(nil)
        let open = try Stream(server: server, source: sink + ".monitor", rate: rate)
        stream.withLock { $0 = open }
        // Not `self`: were its last reference let go on libpulse's thread, that thread would have to end itself.
        open.start { samples, time in
            tape.recording.withLock { $0.append(samples, at: time) }
        }
    }

    deinit { stop() }

    /// What was recorded until now.
    public var recording: Recording { tape.recording.withLock { $0 } }

    /// What was recorded since the last `take()`; it is not kept.
    public func take() -> Recording {
        tape.recording.withLock { recording in
            defer { recording = Recording(rate: recording.rate) }
            return recording
        }
    }

    /// False when the sink or the server has gone.
    public var isRunning: Bool { stream.withLock { $0?.isReady ?? false } }

    @discardableResult
    public func stop() -> Recording {
        stream.withLock {
            $0?.close()
            $0 = nil
        }
        return recording
    }

    /// Polls until `condition` holds of the recording; false after `timeout` seconds.
    public func wait(_ timeout: Double = 10, until condition: (Recording) -> Bool) -> Bool {
        let deadline = MonotonicClock.now + timeout
        while MonotonicClock.now < deadline {
            if condition(recording) { return true }
            usleep(10_000)
        }
        return condition(recording)
    }
}

private final class Tape: Sendable {
    let recording: Mutex<Recording>

    init(rate: Int) { recording = Mutex(Recording(rate: rate)) }
}

/// One record stream on a libpulse thread of its own. `@unchecked`: every libpulse call is made under the mainloop's lock.
private final class Stream: @unchecked Sendable {
    private let loop: OpaquePointer
    private let context: OpaquePointer
    private var stream: OpaquePointer?
    private var deliver: (([Int16], Double) -> Void)?

    init(server: String, source: String, rate: Int) throws(DemoError) {
        loop = pa_threaded_mainloop_new()
        context = pa_context_new(pa_threaded_mainloop_get_api(loop), "monitor capture")
        let me = Unmanaged.passUnretained(self).toOpaque()
        pa_context_set_state_callback(context, { _, me in Stream.from(me).wake() }, me)
        pa_threaded_mainloop_lock(loop)
        defer { pa_threaded_mainloop_unlock(loop) }
        pa_threaded_mainloop_start(loop)
        pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil)
        while true {
            let state = pa_context_get_state(context)
            if state == PA_CONTEXT_READY { break }
            if state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED { throw failure("no sound server at \(server)") }
            pa_threaded_mainloop_wait(loop)
        }
        var format = pa_sample_spec(format: PA_SAMPLE_S16LE, rate: UInt32(rate), channels: 1)
        let new = pa_stream_new(context, "monitor", &format, nil)
        stream = new
        pa_stream_set_state_callback(new, { _, me in Stream.from(me).wake() }, me)
        pa_stream_set_read_callback(new, { _, _, me in Stream.from(me).read() }, me)
        // 10 ms pieces: the server's monitor then follows what is heard that closely.
        var buffer = pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: UInt32(rate / 100 * 2))
        pa_stream_connect_record(
            new, source, &buffer, pa_stream_flags_t(PA_STREAM_DONT_MOVE.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue))
        while true {
            let state = pa_stream_get_state(new)
            if state == PA_STREAM_READY { break }
            if state == PA_STREAM_FAILED || state == PA_STREAM_TERMINATED { throw failure("no sink with monitor \(source)") }
            pa_threaded_mainloop_wait(loop)
        }
    }

    deinit {
        pa_threaded_mainloop_stop(loop)
        if let stream { pa_stream_unref(stream) }
        pa_context_unref(context)
        pa_threaded_mainloop_free(loop)
    }

    var isReady: Bool {
        pa_threaded_mainloop_lock(loop)
        defer { pa_threaded_mainloop_unlock(loop) }
        return pa_stream_get_state(stream) == PA_STREAM_READY
    }

    func start(_ deliver: @escaping ([Int16], Double) -> Void) {
        pa_threaded_mainloop_lock(loop)
        self.deliver = deliver
        pa_threaded_mainloop_unlock(loop)
    }

    /// Nothing is delivered afterwards.
    func close() {
        pa_threaded_mainloop_lock(loop)
        deliver = nil
        pa_context_set_state_callback(context, nil, nil)
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_read_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
        pa_context_disconnect(context)
        pa_threaded_mainloop_unlock(loop)
        pa_threaded_mainloop_stop(loop)
    }

    private func failure(_ text: String) -> DemoError {
        DemoError("\(text): \(String(cString: pa_strerror(pa_context_errno(context))))")
    }

    private func wake() { pa_threaded_mainloop_signal(loop, 0) }

    private func read() {
        var data: UnsafeRawPointer?
        var bytes = 0
        while pa_stream_readable_size(stream) > 0, pa_stream_readable_size(stream) != .max {
            guard pa_stream_peek(stream, &data, &bytes) == 0, bytes > 0 else { return }
            // A hole in the stream has no data; silence stands in so that times stay right.
            let count = bytes / 2
            let samples = data.map { Array(UnsafeRawBufferPointer(start: $0, count: count * 2).bindMemory(to: Int16.self)) }
            deliver?(samples ?? Array(repeating: 0, count: count), MonotonicClock.now)
            pa_stream_drop(stream)
        }
    }

    private static func from(_ me: UnsafeMutableRawPointer?) -> Stream {
        // swift-format-ignore: NeverForceUnwrap
        Unmanaged<Stream>.fromOpaque(me!).takeUnretainedValue()
    }
}
