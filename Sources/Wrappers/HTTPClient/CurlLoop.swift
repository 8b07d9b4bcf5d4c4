import CCurl
import Glibc
import Synchronization

/// libcurl's multi handle and the one thread that touches it; others reach it through `post`.
///
/// `@unchecked`: `inbox` is locked, everything else is used by the thread alone once `start` was called.
final class CurlLoop: @unchecked Sendable {
    enum Order: Sendable {
        case start(Transfer, HTTPRequest, TransferSink)
        case cancel(UInt64)
        case resume(UInt64)
        case shutDown
    }

    private struct Inbox {
        var orders: [Order] = []
        var isClosed = false
    }

    private static let isLibraryReady = ccurl_global_init() == CURLE_OK

    private let setup: EasySetup
    private let multi: UnsafeMutableRawPointer
    private let inbox = Mutex(Inbox())
    private var exchanges: [UInt64: Exchange] = [:]
    private var numbers: [UnsafeMutableRawPointer: UInt64] = [:]
    private var jars = CookieJars()

    init(_ setup: EasySetup) {
        self.setup = setup
        // Only no memory at all makes these fail, as curl_multi_init(3) has it.
        guard Self.isLibraryReady, let multi = curl_multi_init() else { fatalError("libcurl can't be started") }
        self.multi = multi
    }

    /// From any thread. After the shut-down a start ends at once, everything else is moot.
    func post(_ order: Order) {
        let isTaken = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            inbox.orders.append(order)
            // Inside the lock: the multi handle is freed only after the inbox was closed.
            curl_multi_wakeup(multi)
            return true
        }
        if !isTaken, case .start(_, _, let sink) = order { sink.onEnd(.cancelled) }
    }

    // MARK: the thread

    /// Lifetime: the thread holds the loop until it ends.
    func start() {
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let loop = Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue()
                loop.run()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        precondition(code == 0, "no thread for libcurl: \(code)")
        pthread_detach(thread)
    }

    private func run() {
        blockSignals()
        while takeOrders() {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            finishHops()
            giveUpLate()
            curl_multi_poll(multi, nil, 0, Int32(waitMilliseconds()), nil)
        }
        curl_multi_cleanup(multi)
    }

    /// The service's signals belong to its own thread; SIGPIPE (CURLOPT_NOSIGNAL(3): TLS may raise it) to nobody.
    private func blockSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
    }

    /// False: shut down.
    private func takeOrders() -> Bool {
        let orders = inbox.withLock { inbox in
            defer { inbox.orders = [] }
            return inbox.orders
        }
        for (place, order) in orders.enumerated() {
            switch order {
            case .start(let transfer, let request, let sink): begin(transfer, request, sink)
            case .cancel(let id): finish(id, .cancelled)
            case .resume(let id): resume(id)
            case .shutDown:
                shutDown(rest: orders[(place + 1)...])
                return false
            }
        }
        return true
    }

    private func begin(_ transfer: Transfer, _ request: HTTPRequest, _ sink: TransferSink) {
        guard !transfer.isCancelled else { return sink.onEnd(.cancelled) }
        do throws(HTTPError) {
            let exchange = try Exchange(transfer, request, sink, setup)
            exchanges[transfer.id] = exchange
            beginHop(exchange)
        } catch {
            sink.onEnd(error)
        }
    }

    private func beginHop(_ exchange: Exchange) {
        do throws(HTTPError) {
            let easy = try exchange.prepareHop(&jars)
            numbers[easy.pointer] = exchange.transfer.id
            let code = curl_multi_add_handle(multi, easy.pointer)
            guard code == CURLM_OK else { throw .library(String(cString: curl_multi_strerror(code))) }
        } catch {
            finish(exchange.transfer.id, error)
        }
    }

    private func endHop(_ exchange: Exchange) {
        guard let easy = exchange.easy else { return }
        curl_multi_remove_handle(multi, easy.pointer)
        numbers[easy.pointer] = nil
        exchange.dropHop()
    }

    private func finish(_ id: UInt64, _ error: HTTPError?) {
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        endHop(exchange)
        exchange.end(error)
    }

    private func finishHops() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = ccurl_done_easy(message), let id = numbers[easy],
                let exchange = exchanges[id]
            else { continue }
            hopEnded(exchange, ccurl_done_result(message))
        }
    }

    private func hopEnded(_ exchange: Exchange, _ code: CURLcode) {
        switch exchange.hopEnded(code) {
        case .end(let error): finish(exchange.transfer.id, error)
        case .hop:
            endHop(exchange)
            beginHop(exchange)
        }
    }

    private func resume(_ id: UInt64) {
        guard let exchange = exchanges[id], exchange.isPaused else { return }
        exchange.resumed()
        if let easy = exchange.easy { curl_easy_pause(easy.pointer, CURLPAUSE_CONT) }
    }

    private func giveUpLate() {
        let now = ContinuousClock.now
        for exchange in Array(exchanges.values) {
            if let deadline = exchange.deadline, deadline.at <= now { finish(exchange.transfer.id, deadline.error) }
        }
    }

    /// libcurl shortens it by its own timers.
    private func waitMilliseconds() -> Int {
        let next = exchanges.values.compactMap { $0.deadline?.at }.min()
        guard let next else { return 60_000 }
        return min(60_000, max(0, ContinuousClock.now.duration(to: next).milliseconds))
    }

    private func shutDown(rest: ArraySlice<Order>) {
        let late = inbox.withLock { inbox in
            inbox.isClosed = true
            defer { inbox.orders = [] }
            return inbox.orders
        }
        for id in Array(exchanges.keys) { finish(id, .cancelled) }
        for case .start(_, _, let sink) in rest + late { sink.onEnd(.cancelled) }
    }
}
