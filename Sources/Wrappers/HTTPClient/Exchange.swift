import CCurl
import Glibc

/// One transfer on its way through its hops. Confined to the loop's thread.
final class Exchange {
    let transfer: Transfer
    let request: HTTPRequest
    private let sink: TransferSink
    private let setup: EasySetup
    private(set) var chain: RedirectChain
    private(set) var easy: EasyHandle?
    private var head = HeadParser()
    private var redirect: (status: Int, location: String)?
    private var discarded = 0
    private var isStopped = false
    private var isRefused = false
    /// The sink wants no more for now; libcurl is told when it next has bytes.
    private(set) var isPaused = false
    private let began: ContinuousClock.Instant
    private var lastActivity: ContinuousClock.Instant

    init(_ transfer: Transfer, _ request: HTTPRequest, _ sink: TransferSink, _ setup: EasySetup) throws(HTTPError) {
        self.transfer = transfer
        self.request = request
        self.sink = sink
        self.setup = setup
        chain = try RedirectChain(request)
        began = .now
        lastActivity = began
    }

    // MARK: a hop

    /// Makes the handle of the next hop.
    func prepareHop(_ jars: inout CookieJars) throws(HTTPError) -> EasyHandle {
        guard let easy = EasyHandle() else { throw .library("no memory for a transfer") }
        head = HeadParser()
        redirect = nil
        discarded = 0
        lastActivity = .now
        setup.apply(to: easy)
        easy.set(CURLOPT_URL, chain.url.string)
        // HTTPURL has taken the steps out of it already.
        easy.set(CURLOPT_PATH_AS_IS, 1)
        easy.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, request.connectTimeout.milliseconds))
        setMethod(easy)
        try easy.setHeaders(headerLines())
        if chain.carriesCredentials, let path = request.credentials?.cookieJar, let jar = jars.jar(path) { easy.use(jar) }
        easy.install(self)
        try judgeNameBehindProxy()
        self.easy = easy
        return easy
    }

    private func setMethod(_ easy: EasyHandle) {
        switch (chain.method, chain.body) {
        case ("GET", nil): easy.set(CURLOPT_HTTPGET, 1)
        case ("HEAD", _): easy.set(CURLOPT_NOBODY, 1)
        case (let method, let body):
            easy.setBody(body ?? [])
            easy.set(CURLOPT_CUSTOMREQUEST, method)
        }
    }

    private func headerLines() throws(HTTPError) -> [String] {
        guard chain.method.allSatisfy({ $0.isASCII && $0.isLetter }) else { throw .badRequest("method") }
        // libcurl adds these by itself to a request with a body, unless told not to.
        var lines = ["Expect:"]
        if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) { lines.append("Content-Type:") }
        for header in request.headers {
            if chain.hasLeftOrigin, HTTPRequest.credentialNames.contains(header.name.lowercased()) { continue }
            lines.append(try Self.line(header.name, header.value))
        }
        guard chain.carriesCredentials, let credentials = request.credentials else { return lines }
        if let bearer = credentials.bearer { lines.append(try Self.line("Authorization", "Bearer \(bearer)")) }
        for header in credentials.extraHeaders { lines.append(try Self.line(header.name, header.value)) }
        return lines
    }

    /// A line that stays one line, whatever stands in the value.
    private static func line(_ name: String, _ value: String) throws(HTTPError) -> String {
        let isName = !name.isEmpty && name.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: ":") }
        guard isName, value.utf8.allSatisfy({ $0 >= 32 || $0 == 9 }) else { throw .badRequest("a header") }
        // libcurl takes "Name:" as "leave it out" and "Name;" as "send it empty".
        return value.isEmpty ? "\(name);" : "\(name): \(value)"
    }

    // MARK: addresses

    /// The address of a socket about to be opened; false refuses it.
    func mayOpen(address: String) -> Bool {
        guard setup.configuration.proxy == nil, chain.hops > 0, chain.beganPublic == true else { return true }
        return accept(setup.scope(address))
    }

    /// The address of the connection the request is about to be sent on; a kept connection never asked `mayOpen`.
    func mayAsk(address: String) -> Bool {
        guard setup.configuration.proxy == nil else { return true }
        return accept(setup.scope(address))
    }

    private func judgeNameBehindProxy() throws(HTTPError) {
        guard setup.configuration.proxy != nil else { return }
        if !accept(setup.scope(ofHost: chain.url.origin.host)) { throw .refusedRedirect(.intoPrivateNetwork) }
    }

    private func accept(_ scope: AddressScope) -> Bool {
        if chain.hops == 0 { chain.beganPublic = scope == .publicNetwork }
        isRefused = chain.beganPublic == true && scope == .ownNetwork
        return !isRefused
    }

    // MARK: what comes

    /// False ends the hop.
    func took(headerLine line: String) -> Bool {
        lastActivity = .now
        let wasComplete = head.isComplete
        head.take(line)
        guard head.isComplete, !wasComplete else { return true }
        saveCookies()
        if RedirectChain.isRedirect(head.status), let location = head.headers["Location"] {
            redirect = (head.status, location)
            return true
        }
        return obey(sink.onHead(HTTPHead(status: head.status, headers: head.headers, finalURL: chain.url.string)))
    }

    enum BodyAnswer {
        case taken
        /// libcurl keeps these bytes and stops reading until it is told to go on.
        case later
        case endHop
    }

    func took(body bytes: UnsafeRawBufferPointer) -> BodyAnswer {
        guard redirect == nil else {
            // Read, so that the connection can be used again; but not for long.
            discarded += bytes.count
            return discarded < 65536 ? .taken : .endHop
        }
        guard !transfer.isCancelled, !isStopped else { return .endHop }
        guard !isPaused else { return .later }
        lastActivity = .now
        return obey(sink.onBytes(Array(bytes))) ? .taken : .endHop
    }

    private func obey(_ flow: Transfer.Flow) -> Bool {
        switch flow {
        case .proceed: break
        case .pause: isPaused = true
        case .stop: isStopped = true
        }
        return !isStopped
    }

    private func saveCookies() {
        guard chain.carriesCredentials, request.credentials?.cookieJar != nil, head.headers["Set-Cookie"] != nil else {
            return
        }
        do {
            try easy?.saveCookies()
        } catch {
            setup.configuration.log("cookies not saved: \(error.reason)")
        }
    }

    // MARK: ends

    /// What follows the end of a hop.
    enum Next {
        case hop
        case end(HTTPError?)
    }

    func hopEnded(_ code: CURLcode) -> Next {
        if transfer.isCancelled || isStopped { return .end(.cancelled) }
        if let redirect {
            do {
                try chain.follow(status: redirect.status, location: redirect.location)
                return .hop
            } catch {
                return .end(error)
            }
        }
        if code == CURLE_OK { return .end(head.isComplete ? nil : .malformed("no answer")) }
        if isRefused { return .end(.refusedRedirect(.intoPrivateNetwork)) }
        return .end(easy.map { HTTPError(code, $0) } ?? .library("no transfer"))
    }

    func dropHop() { easy = nil }

    func end(_ error: HTTPError?) { sink.onEnd(error) }

    func resumed() {
        isPaused = false
        lastActivity = .now
    }

    // MARK: time

    /// When it is to be given up, and as what.
    var deadline: (at: ContinuousClock.Instant, error: HTTPError)? {
        let whole = request.timeout.map { (began + $0, HTTPError.timeout) }
        let stall = isPaused ? nil : request.stallTimeout.map { (lastActivity + $0, HTTPError.stalled) }
        switch (whole, stall) {
        case (let whole?, let stall?): return whole.0 < stall.0 ? whole : stall
        case (let one, let other): return one ?? other
        }
    }
}

extension Duration {
    /// Rounded up, so that a wait never ends early.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
