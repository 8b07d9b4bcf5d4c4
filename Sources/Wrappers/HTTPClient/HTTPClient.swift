import Synchronization

/// HTTP over libcurl on one thread of its own: redirects, credentials and certificates are handled here and nowhere else.
///
/// Dropping it ends its thread and every transfer (with `.cancelled`).
public final class HTTPClient: Sendable {
    public struct Configuration: Sendable {
        /// `ipx-car/VERSION`.
        public var userAgent: String
        /// PEM file of further authorities to trust, beside the system's.
        public var caFile: String?
        /// As libcurl reads it, `http://host:port`. Nil: none; the environment's proxy variables are never looked at.
        public var proxy: String?
        /// Told in a line what went wrong beside a request (a cookie jar that can't be written); from the client's thread.
        public var log: @Sendable (String) -> Void

        public init(
            userAgent: String, caFile: String? = nil, proxy: String? = nil,
            log: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            self.userAgent = userAgent
            self.caFile = caFile
            self.proxy = proxy
            self.log = log
        }
    }

    public static let defaultBodyLimit = 16 << 20

    private let loop: CurlLoop
    private let lastID = Atomic<UInt64>(0)

    public convenience init(_ configuration: Configuration) {
        self.init(configuration, scope: AddressScope.of)
    }

    /// `scope` tells public from private addresses; a test has only loopback ones.
    init(_ configuration: Configuration, scope: @escaping @Sendable (String) -> AddressScope) {
        loop = CurlLoop(EasySetup(configuration: configuration, scope: scope))
        loop.start()
    }

    deinit { loop.post(.shutDown) }

    /// The whole answer in memory. Ends early when the calling task is cancelled.
    public func send(_ request: HTTPRequest, bodyLimit: Int = defaultBodyLimit) async throws(HTTPError) -> HTTPResponse {
        let collector = ResponseCollector(limit: bodyLimit)
        let id = nextID()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let sink = TransferSink(
                    onHead: collector.take, onBytes: collector.take,
                    onEnd: { continuation.resume(returning: collector.result($0)) })
                start(request, id, sink)
                // Cancelled before there was anything to cancel: the handler's call met an unknown number.
                if Task.isCancelled { loop.post(.cancel(id)) }
            }
        } onCancel: {
            loop.post(.cancel(id))
        }
        return try result.get()
    }

    /// The body piece by piece. All closures run on the client's thread; `onEnd` is called exactly once, with nil when the
    /// whole body came.
    @discardableResult
    public func transfer(
        _ request: HTTPRequest, onHead: @escaping @Sendable (HTTPHead) -> Transfer.Flow,
        onBytes: @escaping @Sendable ([UInt8]) -> Transfer.Flow, onEnd: @escaping @Sendable (HTTPError?) -> Void
    ) -> Transfer {
        start(request, nextID(), TransferSink(onHead: onHead, onBytes: onBytes, onEnd: onEnd))
    }

    @discardableResult
    private func start(_ request: HTTPRequest, _ id: UInt64, _ sink: TransferSink) -> Transfer {
        let transfer = Transfer(id: id, loop: loop)
        loop.post(.start(transfer, request, sink))
        return transfer
    }

    private func nextID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }
}

/// Gathers an answer on the client's thread.
private final class ResponseCollector: Sendable {
    private struct State {
        var head: HTTPHead?
        var body: [UInt8] = []
        var isTooLarge = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    func take(_ head: HTTPHead) -> Transfer.Flow {
        state.withLock { $0.head = head }
        return .proceed
    }

    func take(_ bytes: [UInt8]) -> Transfer.Flow {
        state.withLock { state in
            guard state.body.count + bytes.count <= limit else {
                state.isTooLarge = true
                return .stop
            }
            state.body += bytes
            return .proceed
        }
    }

    func result(_ error: HTTPError?) -> Result<HTTPResponse, HTTPError> {
        state.withLock { state in
            if state.isTooLarge { return .failure(.bodyTooLarge(limit: limit)) }
            if let error { return .failure(error) }
            guard let head = state.head else { return .failure(.malformed("no answer")) }
            return .success(HTTPResponse(head: head, body: state.body))
        }
    }
}
