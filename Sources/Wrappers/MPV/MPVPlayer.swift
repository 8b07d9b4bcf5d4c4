import CMPV
import Dispatch
import EventLoop
import Glibc

/// One libmpv core. Everything asked of it is asynchronous: the core never waits for mpv, which may wait for a sound server.
@Core
public final class MPVPlayer {
    private let library: MPVLibrary
    /// Thread-safe in C; freed only by `deinit`.
    private nonisolated(unsafe) let handle: OpaquePointer
    private let wakeups = Wakeups()
    private let scheme: StreamProtocol
    public var onEvent: (@Core (MPVEvent) -> Void)?

    /// `options` as on mpv's command line, without dashes. `scheme` is the URL scheme that `open` serves.
    public init(
        _ library: MPVLibrary, options: [(String, String)], scheme: String, open: @escaping StreamOpener
    ) throws(MPVError) {
        // client.h: mpv_create fails with any other LC_NUMERIC.
        setlocale(LC_NUMERIC, "C")
        guard let handle = library.create() else { throw .missing("mpv_create failed") }
        self.library = library
        self.handle = handle
        self.scheme = StreamProtocol(open)
        do {
            for (name, value) in options { try library.check(library.setOptionString(handle, name, value)) }
            try library.check(library.initialize(handle))
            let context = Unmanaged.passUnretained(self.scheme).toOpaque()
            try library.check(library.addStream(handle, scheme, context, openStream))
        } catch {
            library.terminateDestroy(handle)
            throw error
        }
        listen()
    }

    private func listen() {
        wakeups.source.setEventHandler { [weak self] in Core.assumeOnCore { self?.drain() } }
        // Unretained: `deinit` takes the callback away before the source goes.
        library.setWakeupCallback(handle, wakeUp, Unmanaged.passUnretained(wakeups).toOpaque())
    }

    private func drain() {
        while let raw = library.waitEvent(handle, 0), raw.pointee.event_id != MPV_EVENT_NONE {
            if let event = library.event(raw.pointee) { onEvent?(event) }
        }
    }

    /// The answer comes as `.reply(request:)`.
    public func command(_ arguments: [String], request: UInt64 = 0) throws(MPVError) {
        var texts: [UnsafePointer<CChar>?] = arguments.map { UnsafePointer(strdup($0)) } + [nil]
        defer { for text in texts { free(UnsafeMutablePointer(mutating: text)) } }
        try library.check(library.commandAsync(handle, request, &texts))
    }

    public func set(_ name: String, _ value: Double, request: UInt64 = 0) throws(MPVError) {
        var value = value
        try library.check(library.setPropertyAsync(handle, request, name, MPV_FORMAT_DOUBLE, &value))
    }

    public func set(_ name: String, _ value: Bool, request: UInt64 = 0) throws(MPVError) {
        var value: Int32 = value ? 1 : 0
        try library.check(library.setPropertyAsync(handle, request, name, MPV_FORMAT_FLAG, &value))
    }

    public func set(_ name: String, _ value: String, request: UInt64 = 0) throws(MPVError) {
        let code = value.withCString { text in
            var text: UnsafePointer<CChar>? = text
            return library.setPropertyAsync(handle, request, name, MPV_FORMAT_STRING, &text)
        }
        try library.check(code)
    }

    /// The answer comes as `.property(request:…)`.
    public func askDouble(_ name: String, request: UInt64) throws(MPVError) {
        try library.check(library.getPropertyAsync(handle, request, name, MPV_FORMAT_DOUBLE))
    }

    /// Changes come as `.property(request:…)`, the present value at once.
    public func observeFlag(_ name: String, request: UInt64) throws(MPVError) {
        try library.check(library.observeProperty(handle, request, name, MPV_FORMAT_FLAG))
    }

    /// Messages of this level and worse come as `.log`: "warn", "info", "v" …
    public func requestLog(_ level: String) throws(MPVError) { try library.check(library.requestLog(handle, level)) }

    deinit {
        library.setWakeupCallback(handle, nil, nil)
        // Waits for mpv's threads, which may wait for a reader or a sound server: never on the core.
        let (library, scheme) = (library, scheme)
        nonisolated(unsafe) let handle = handle
        DispatchQueue.global().async {
            library.terminateDestroy(handle)
            withExtendedLifetime(scheme) {}
        }
    }
}

/// mpv's wakeups (any thread, many) coalesced into one turn on the core.
private final class Wakeups: @unchecked Sendable {
    let source = DispatchSource.makeUserDataAddSource(queue: Core.queue)

    init() { source.activate() }

    deinit { source.cancel() }
}

/// Called by mpv on its threads.
private func wakeUp(_ wakeups: UnsafeMutableRawPointer?) {
    guard let wakeups else { return }
    Unmanaged<Wakeups>.fromOpaque(wakeups).takeUnretainedValue().source.add(data: 1)
}
