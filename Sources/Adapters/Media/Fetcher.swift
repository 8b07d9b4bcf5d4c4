import EventLoop
import HTTPClient
import Library
import Linux

/// Fills one episode's part with as many requests as it takes, one at a time.
@Core
final class Fetcher {
    private enum Phase {
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
    private let context: FetchContext
    private var enclosure: Enclosure
    private var phase = Phase.idle
    private var attempt = 0
    /// In a row, without a new byte.
    private var failures = 0
    private var hasRefreshed = false
    private var changes = 0
    private var hasRestarted = false
    private var isSettling = false
    private var mustSettleAgain = false
    private var isPromoting = false

    /// Nil: the server is reached.
    var onReach: (@Core (Failure?) -> Void)?
    var onProgress: (@Core (FetchProgress) -> Void)?
    /// It has become idle after `stop`: nothing of it will touch file or record any more.
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

    private func go() {
        guard case .idle = phase else { return }
        let state = file.state
        let plan = FetchPlan.next(
            present: state.present, total: state.total, demand: state.demand, allowsRange: state.allowsRange)
        guard let plan else { return finish() }
        guard let server = context.server() else { return give(up: .unauthorized, "no server is set") }
        guard let url = server.url(of: enclosure.url) else { return give(up: .notFound, "its address is not one") }
        attempt += 1
        let number = attempt
        let sign: @Sendable (FetchSign) -> Void = { sign in Core.run { [weak self] in self?.saw(sign, number) } }
        guard let writer = PartWriter(plan, attempt: number, into: file, timings: context.timings, sign: sign) else {
            return give(up: .internal, "no file to write to")
        }
        file.requested(EpisodeFile.Arriving(attempt: number, next: plan.start, end: plan.end))
        let transfer = context.client.transfer(
            request(url, plan, server), onHead: writer.head, onBytes: writer.bytes,
            onEnd: { error in
                let outcome = writer.end(error)
                Core.run { [weak self] in self?.ended(outcome, number) }
            })
        phase = .running(transfer)
    }

    private func request(_ url: HTTPURL, _ plan: FetchPlan, _ server: MediaServer) -> HTTPRequest {
        let headers = plan.rangeHeader.map { [(name: "Range", value: $0)] } ?? []
        return HTTPRequest(
            url: url.string, headers: headers, credentials: server.credentials,
            connectTimeout: context.timings.connect, stallTimeout: context.timings.stall)
    }

    private func saw(_ sign: FetchSign, _ number: Int) {
        guard number == attempt else { return }
        switch sign {
        case .flowing:
            onReach?(nil)
            // Whether ranges can be asked for is known now: a reader may be waiting far ahead.
            demandChanged()
        case .progress: onProgress?(progress)
        case .checkpoint: settle()
        }
    }

    // MARK: how it ended

    private func ended(_ outcome: FetchOutcome, _ number: Int) {
        guard number == attempt, case .running = phase else { return }
        phase = .idle
        file.requested(nil)
        switch outcome {
        case .arrived(let added): arrived(added)
        case .cut(let error, let added): cut(error, added)
        case .refused(let refusal, let url): refused(refusal, from: url)
        case .fileFailed(let error): give(up: .internal, "cannot write the episode: \(error)")
        }
    }

    private func arrived(_ added: Int64) {
        if file.state.isWhole { return finish() }
        settle()
        if added > 0 {
            progressed()
            return go()
        }
        // It answers, but never with what was asked for.
        retry("the server sends other bytes than asked for", lastResort: .media)
    }

    private func cut(_ error: HTTPError, _ added: Int64) {
        settle()
        if added > 0 { progressed() } else { onReach?(.offline) }
        if error == .badURL { return give(up: .notFound, "\(error)") }
        retry("\(error)")
    }

    private func refused(_ refusal: FetchRefusal, from url: String) {
        switch refusal {
        case .status(let status, let after): refused(status, retryAfter: after, from: url)
        case .page: sawPage(from: url)
        case .empty: give(up: .media, "the server sends an empty file")
        case .changed: startOver("the file on the server has changed")
        case .rangeUnusable: goWithoutRange()
        case .beyondEnd(let total): wasBeyondEnd(total)
        }
    }

    private func refused(_ status: Int, retryAfter: Double?, from url: String) {
        switch status {
        case 401, 403: denied(status, by: url)
        case 404, 410: give(up: .notFound, "status \(status)")
        case 408, 425, 429, 500...:
            onReach?(.offline)
            retry("status \(status)", after: retryAfter)
        default: give(up: .media, "status \(status)")
        }
    }

    /// A form over a connection nobody can tamper with is our server's own sign-in; any other page may be a captive network's.
    private func sawPage(from url: String) {
        let origin = Origin(url: url)
        if let origin, origin.isSecure, origin == context.server()?.credentials?.origin { return denied(200, by: url) }
        onReach?(.offline)
        retry("a web page came instead of the episode")
    }

    /// Once a fresh address or token may help; a publisher's own server knows no sign-in of ours.
    private func denied(_ status: Int, by url: String) {
        let isOurServer = Origin(url: url).map { $0 == context.server().flatMap { Origin(url: $0.address) } } ?? false
        guard !hasRefreshed else {
            if isOurServer { onReach?(.unauthorized) }
            return give(up: isOurServer ? .unauthorized : .notFound, "status \(status) after a new sign-in check")
        }
        hasRefreshed = true
        phase = .refreshing
        context.log("status \(status) for \(key.fileName.prefix(8)): asking for its address anew")
        Task { @Core in
            let fresh = await context.refresh(key.episode, enclosure)
            guard case .refreshing = phase else { return }
            if let fresh { enclosure = fresh }
            phase = .idle
            go()
        }
    }

    private func goWithoutRange() {
        guard file.state.allowsRange else { return give(up: .media, "ranges refused, and the whole too") }
        file.monitor.change { $0.allowsRange = false }
        go()
    }

    /// 416: it may be that everything was there, or that the file is another one.
    private func wasBeyondEnd(_ total: Int64?) {
        if let total, total > 0, file.state.present.firstMissing(from: 0) == total {
            file.monitor.change { $0.total = total }
            return finish()
        }
        guard !hasRestarted else { return give(up: .media, "the server has less than it announced") }
        hasRestarted = true
        startOver("the server has nothing there")
    }

    /// Forgets the record first: it must never speak of bytes of another edition.
    private func startOver(_ reason: String) {
        changes += 1
        guard changes <= 3 else { return give(up: .media, "\(reason), again and again") }
        context.log("fetching \(key.fileName.prefix(8)) anew: \(reason)")
        do {
            try context.records.delete(key.fileName)
            file.startOver(try RandomAccessFile.create(context.folder.path(of: key.partName)))
        } catch {
            return give(up: .internal, "cannot start over: \(error)")
        }
        go()
    }

    // MARK: between two requests

    private func progressed() {
        failures = 0
        hasRefreshed = false
        onProgress?(progress)
    }

    private func retry(_ reason: String, after seconds: Double? = nil, lastResort: Failure? = nil) {
        failures += 1
        if let lastResort, failures > 3 { return give(up: lastResort, reason) }
        let usual = context.timings.retryDelay(failures: failures, chance: context.chance())
        let delay = seconds.map { min(max($0, usual), context.timings.longestRetryAfter) } ?? usual
        context.log("fetching \(key.fileName.prefix(8)) interrupted (\(reason)); again in \(Int(delay.rounded(.up))) s")
        phase = .waiting(
            Task { @Core [weak self] in
                try? await Task.sleep(for: .seconds(delay))
                guard !Task.isCancelled, let self, case .waiting = self.phase else { return }
                self.phase = .idle
                self.go()
            })
    }

    private func give(up failure: Failure, _ reason: String) {
        context.log("fetching \(key.fileName.prefix(8)) given up: \(reason)")
        phase = .failed
        file.requested(nil)
        file.failed(failure)
        settle()
    }

    // MARK: what outlasts the process

    /// Records what is there, once it is on the medium.
    private func settle() {
        let state = file.state
        guard !isWhole, let disk = state.file, let validator = state.validator, state.present.count > 0 else { return }
        guard !isSettling else {
            mustSettleAgain = true
            return
        }
        isSettling = true
        mustSettleAgain = false
        // Taken before the sync: what is written meanwhile is not claimed.
        let record = PartRecord(present: state.present, validator: validator.completed(by: Validator(total: state.total)))
        context.durability.settle(disk) { self.settled(record, state.edition, $0) }
    }

    private func settled(_ record: PartRecord, _ edition: Int, _ error: FileError?) {
        isSettling = false
        if let error { context.log("a download could not be made to last: \(error)") }
        if error == nil, edition == file.state.edition, !isWhole {
            do throws(Failure) {
                try context.records.save(record, key.fileName)
            } catch {
                context.log("the state of a download could not be saved")
            }
        }
        if mustSettleAgain { settle() }
        restIfDone()
    }

    private func finish() {
        guard let disk = file.state.file else { return }
        phase = .whole
        failures = 0
        isPromoting = true
        context.durability.promote(disk, key.partName, to: key.fileName, in: context.folder) { self.promoted($0) }
    }

    private func promoted(_ error: FileError?) {
        isPromoting = false
        if let error {
            context.log("the episode is whole but could not be kept: \(error)")
        } else {
            do throws(Failure) {
                try context.records.delete(key.fileName)
            } catch {
                context.log("the record of a finished download could not be removed")
            }
            onProgress?(progress)
        }
        restIfDone()
    }

    private func restIfDone() {
        if !isBusy { onRest?() }
    }
}
