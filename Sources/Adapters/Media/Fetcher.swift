import EventLoop
import HTTPClient
import Library
import Linux

/// Fills one episode's part with as many requests as it takes, one at a time.
@Core
final class Fetcher {
    enum Phase {
        case idle
        case running(Transfer)
        /// Between two attempts.
        case waiting(Task<Void, Never>)
        case refreshing
        /// Given up until `renew`.
        case failed
        case whole
        case stopped
    }

    let key: MediaKey
    let file: EpisodeFile
    let context: FetchContext
    var enclosure: Enclosure
    var phase = Phase.idle
    var attempt = 0
    /// In a row, without a new byte.
    var failures = 0
    var lastReason = ""
    var hasRefreshed = false
    var changes = 0
    var hasRestarted = false
    var isSettling = false
    var mustSettleAgain = false
    var isPromoting = false

    /// Bytes that have to stay free on the disk; nil for what is being played.
    var reserve: Int64?
    /// Nil: the server is reached.
    var onReach: (@Core (Failure?) -> Void)?
    var onProgress: (@Core (FetchProgress) -> Void)?
    /// Whole and lasting, or given up.
    var onDone: (@Core () -> Void)?
    /// Nothing of it touches file or record any more, if it was stopped.
    var onRest: (@Core () -> Void)?

    init(_ key: MediaKey, _ enclosure: Enclosure, _ file: EpisodeFile, _ context: FetchContext) {
        self.key = key
        self.enclosure = enclosure
        self.file = file
        self.context = context
    }

    var progress: FetchProgress {
        let state = file.state
        return FetchProgress(done: state.present.count, total: state.total, isKept: isWhole)
    }

    var isWhole: Bool {
        if case .whole = phase { true } else { false }
    }

    /// Whole, or given up until `renew`.
    var isDone: Bool {
        switch phase {
        case .whole: !isPromoting
        case .failed: true
        case .idle, .running, .waiting, .refreshing, .stopped: false
        }
    }

    /// File and record are still being written: nobody else may work on them.
    var isBusy: Bool { isSettling || isPromoting }

    /// Begins, or begins again after a failure or in the middle of a wait: the network is back, a sign-in was done.
    func renew(_ enclosure: Enclosure? = nil) {
        if let enclosure { self.enclosure = enclosure }
        switch phase {
        case .running, .refreshing, .whole: return
        case .waiting(let task): task.cancel()
        case .idle, .failed, .stopped: break
        }
        hasRefreshed = false
        hasRestarted = false
        changes = 0
        failures = 0
        file.monitor.change { $0.failure = nil }
        phase = .idle
        go()
    }

    /// Ends fetching; what is there stays, and is recorded.
    func stop() {
        switch phase {
        case .running(let transfer): transfer.cancel()
        case .waiting(let task): task.cancel()
        case .whole: return
        case .idle, .refreshing, .failed, .stopped: break
        }
        attempt += 1
        phase = .stopped
        file.requested(nil)
        settle()
    }

    /// A reader waits for another byte: goes there if the running request will not soon bring it.
    func demandChanged() {
        guard case .running(let transfer) = phase else { return }
        let state = file.state
        guard state.validator != nil, state.allowsRange, let arriving = state.arriving else { return }
        let wanted = state.present.firstMissing(from: state.demand)
        if let total = state.total, wanted >= total { return }
        let isNear = wanted >= arriving.next && wanted - arriving.next <= context.timings.nearby
        if isNear, arriving.end.map({ wanted < $0 }) ?? true { return }
        transfer.cancel()
        phase = .idle
        go()
    }

    // MARK: one request

    func go() {
        guard case .idle = phase else { return }
        let state = file.state
        let plan = FetchPlan.next(
            present: state.present, total: state.total, demand: state.demand, allowsRange: state.allowsRange)
        guard let plan else { return finish() }
        guard hasRoom else { return give(up: .internal, "it would take the room that is to stay free") }
        guard let request = request(plan) else { return give(up: .notFound, "its address is none to ask") }
        attempt += 1
        let number = attempt
        let sign: @Sendable (FetchSign) -> Void = { [weak self] sign in Core.run { [weak self] in self?.saw(sign, number) } }
        guard let writer = PartWriter(plan, attempt: number, into: file, timings: context.timings, sign: sign) else {
            return give(up: .internal, "no file to write to")
        }
        file.requested(EpisodeFile.Arriving(attempt: number, next: plan.start, end: plan.end))
        let transfer = context.client.transfer(
            request, onHead: writer.head, onBytes: writer.bytes,
            onEnd: { [weak self] error in
                let outcome = writer.end(error)
                Core.run { [weak self] in self?.ended(outcome, number) }
            })
        phase = .running(transfer)
    }

    private func request(_ plan: FetchPlan) -> HTTPRequest? {
        guard var request = context.request(enclosure) else { return nil }
        if let range = plan.rangeHeader { request.headers.append((name: "Range", value: range)) }
        request.connectTimeout = context.timings.connect
        request.stallTimeout = context.timings.stall
        request.timeout = nil
        return request
    }

    /// False when what is still to come would take of the room that has to stay free.
    private var hasRoom: Bool {
        guard let reserve, let free = try? context.folder.free() else { return true }
        let state = file.state
        let left = (state.total ?? enclosure.length).map { max(0, $0 - state.present.count) } ?? 0
        return free - left >= reserve
    }

    private func saw(_ sign: FetchSign, _ number: Int) {
        guard number == attempt else { return }
        switch sign {
        case .flowing:
            onReach?(nil)
            // Whether ranges can be asked for is known now: a reader may be waiting far ahead.
            demandChanged()
        case .progress: onProgress?(progress)
        case .checkpoint:
            settle()
            if !hasRoom { ranOutOfRoom() }
        }
    }

    private func ranOutOfRoom() {
        guard case .running(let transfer) = phase else { return }
        transfer.cancel()
        attempt += 1
        give(up: .internal, "it takes the room that is to stay free")
    }
}
