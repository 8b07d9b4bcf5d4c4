import EventLoop
import HTTPClient
import Library
import Linux

// How a request ended, and what follows from it.
extension Fetcher {
    func ended(_ outcome: FetchOutcome, _ number: Int) {
        guard number == attempt, case .running = phase else { return }
        phase = .idle
        file.requested(nil)
        switch outcome {
        case .arrived(let added): arrived(added)
        case .cut(let error, let added): cut(error, added)
        case .refused(let refusal, let url): refused(refusal, from: url)
        case .fileFailed(let error):
            settle()
            give(up: .internal, error == .noSpace ? "the disk is full" : "cannot write the episode: \(error)")
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
        if let origin, origin.isSecure, origin == signedOrigin { return denied(200, by: url) }
        onReach?(.offline)
        retry("a web page came instead of the episode")
    }

    /// Where we have something to sign in with.
    private var signedOrigin: Origin? { context.request(enclosure)?.credentials?.origin }

    /// Once a fresh address or token may help; a publisher's own server knows no sign-in of ours.
    private func denied(_ status: Int, by url: String) {
        let isOurServer = Origin(url: url).map { $0 == signedOrigin } ?? false
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
    func startOver(_ reason: String) {
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
        // One line for a dead zone, however long.
        if failures == 1 || reason != lastReason { context.log("fetching \(key.fileName.prefix(8)) interrupted: \(reason)") }
        lastReason = reason
        phase = .waiting(
            Task { @Core [weak self] in
                try? await Task.sleep(for: .seconds(delay))
                guard !Task.isCancelled, let self, case .waiting = self.phase else { return }
                self.phase = .idle
                self.go()
            })
    }

    func give(up failure: Failure, _ reason: String) {
        context.log("fetching \(key.fileName.prefix(8)) given up: \(reason)")
        phase = .failed
        file.requested(nil)
        file.failed(failure)
        settle()
        onDone?()
    }
}
