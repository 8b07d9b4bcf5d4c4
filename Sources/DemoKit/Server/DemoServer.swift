import Glibc
import Synchronization

/// A small ipx server on plain sockets, a thread for each connection: it serves the contract, or breaks it on purpose. Callable
/// from any thread.
///
///     let server = try DemoServer(library: library, token: "secret")
///     try server.start()
///     server.faults = [Fault(.cut(afterBytes: 3_000_000), on: "/media/*", times: 1)]
///     …
///     #expect(server.log.violations.isEmpty)
///     server.stop()
public final class DemoServer: Sendable {
    public let log = RequestLog()
    /// Numeric IPv4 address it listens on.
    public let address: String
    public let port: UInt16
    private let site: Mutex<Site>
    private let sockets: Mutex<Sockets>

    private struct Sockets {
        /// Bound and never listening: keeps the port while the server is off.
        var holder: Int32
        var listener: Int32?
        var open: [Int: Int32] = [:]
        var accepted = 0
        var threads = 0
    }

    /// Takes its port at once (0: any free one) and serves nothing before `start`. Without token and login it is open to all.
    /// `isAPIAddress`: requests without a bearer are blocked too. `basePath`: e.g. `/ipx`; everything lives below it.
    public init(
        library: DemoLibrary, token: String? = nil, login: DemoLogin? = nil, address: String = "127.0.0.1", port: UInt16 = 0,
        isAPIAddress: Bool = false, basePath: String = ""
    ) throws {
        var site = Site(library: library, token: token, login: login)
        site.isAPIAddress = isAPIAddress
        site.basePath = basePath
        self.site = Mutex(site)
        let holder = try Socket.bound(address, port: port)
        self.address = address
        self.port = Socket.port(of: holder)
        sockets = Mutex(Sockets(holder: holder))
    }

    deinit {
        stop()
        let holder = sockets.withLock { $0.holder }
        close(holder)
    }

    /// Scheme, host and port, without a slash at the end.
    public var origin: String { "http://\(address):\(port)" }

    /// What the server lists; changes hold for the next request.
    public var library: DemoLibrary {
        get { site.withLock { $0.library } }
        set { site.withLock { $0.library = newValue } }
    }

    /// Setting them starts their counts anew.
    public var faults: [Fault] {
        get { site.withLock { $0.faults.all } }
        set { site.withLock { $0.faults = FaultBook(newValue) } }
    }

    public func add(_ fault: Fault) { site.withLock { $0.faults.add(fault) } }

    /// The token that is right from now on.
    public func setToken(_ token: String?) { site.withLock { $0.token = token } }

    /// Every session ends: cookies given out so far are refused.
    public func endSessions() { site.withLock { $0.sessions.removeAll() } }

    /// Changes the library in one step.
    public func update<T: Sendable>(_ change: (inout DemoLibrary) -> T) -> T { site.withLock { change(&$0.library) } }

    public func episode(_ feed: String, _ guid: String) -> DemoEpisode? { library[feed: feed, guid: guid] }

    /// Accepts connections; again after `stop`, on the same port.
    public func start() throws {
        let fd: Int32? = try sockets.withLock {
            guard $0.listener == nil else { return nil }
            let fd = try Socket.bound(address, port: port)
            guard listen(fd, 64) == 0 else {
                let code = errno
                close(fd)
                throw Socket.Failed(call: "listen", code: code)
            }
            $0.listener = fd
            return fd
        }
        guard let fd else { return }
        startThread { [weak self] in Self.accept(on: fd) { self } }
    }

    /// The network goes: new connections are refused, open ones cut. The port stays taken.
    public func stop() {
        sockets.withLock {
            if let listener = $0.listener { shutdown(listener, Int32(SHUT_RDWR)) }
            $0.listener = nil
            for fd in $0.open.values { shutdown(fd, Int32(SHUT_RDWR)) }
        }
        let deadline = monotonicSeconds() + 2
        while sockets.withLock({ $0.threads > 0 }), monotonicSeconds() < deadline { usleep(1000) }
    }

    public var isAccepting: Bool { sockets.withLock { $0.listener != nil } }

    /// Connections open now.
    public var connectionCount: Int { sockets.withLock { $0.open.count } }

    /// Runs on a thread of its own; holds the server only while a connection comes in.
    private static func accept(on listener: Int32, _ server: () -> DemoServer?) {
        while true {
            let fd = Glibc.accept(listener, nil, nil)
            if fd < 0 && (errno == EINTR || errno == ECONNABORTED) { continue }
            guard fd >= 0, let server = server(), server.isAccepting else {
                if fd >= 0 { close(fd) }
                close(listener)
                return
            }
            server.take(fd)
        }
    }

    private func take(_ fd: Int32) {
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
        Socket.setFlag(fd, Int32(IPPROTO_TCP), TCP_NODELAY)
        let number = sockets.withLock {
            $0.accepted += 1
            $0.threads += 1
            $0.open[$0.accepted - 1] = fd
            return $0.accepted - 1
        }
        startThread { [self] in
            ServerConnection(fd: fd, number: number, server: self).serve()
            sockets.withLock {
                $0.open[number] = nil
                close(fd)
                $0.threads -= 1
            }
        }
    }

    func answer(_ request: ServedRequest) -> (answer: Answer, violation: String?) { site.withLock { $0.answer(request) } }

    func credential(_ request: ServedRequest) -> LoggedRequest.Credential { site.withLock { $0.credential(request) } }
}
