import HTTPClient
import Linux
import Synchronization

/// How one request for bytes ended.
enum FetchOutcome: Hashable, Sendable {
    /// What was asked for came wholly; so many bytes were new.
    case arrived(Int64)
    case cut(HTTPError, Int64)
    case refused(FetchRefusal, from: String)
    case fileFailed(Errno)
}

/// What a running request has to tell before its end.
enum FetchSign: Hashable, Sendable {
    /// The first bytes were taken.
    case flowing
    case progress
    /// Enough has come that it is worth making it outlast a cut of power.
    case checkpoint
}

/// Takes one request's answer and writes it into the part, on the HTTP client's thread.
final class PartWriter: Sendable {
    private struct State {
        var offset: Int64 = 0
        var body: Body?
        /// First bytes, until they are known to be no page.
        var held: [UInt8]? = []
        var added: Int64 = 0
        var refusal: FetchRefusal?
        var fileError: Errno?
        var isDone = false
        var finalURL = ""
        var progressAt: ContinuousClock.Instant
        var checkpointAt: ContinuousClock.Instant
    }

    /// What the accepted head said.
    private struct Body {
        var total: Int64?
        var validator: Validator
        var allowsRange: Bool?
        /// The bytes alone can tell whether this is the edition the part holds.
        var mustCompare: Bool
        /// Nothing is taken from here on, though some servers send on.
        var limit: Int64?
        /// A clean end is the end of the file.
        var runsToEnd: Bool
    }

    private let plan: FetchPlan
    private let attempt: Int
    private let target: EpisodeFile
    private let file: RandomAccessFile
    private let edition: Int
    private let timings: FetchTimings
    private let sign: @Sendable (FetchSign) -> Void
    private let state: Mutex<State>

    init?(
        _ plan: FetchPlan, attempt: Int, into target: EpisodeFile, timings: FetchTimings,
        sign: @escaping @Sendable (FetchSign) -> Void
    ) {
        let now = target.state
        guard let file = now.file else { return nil }
        self.file = file
        edition = now.edition
        self.plan = plan
        self.attempt = attempt
        self.target = target
        self.timings = timings
        self.sign = sign
        let start = ContinuousClock.now
        state = Mutex(State(progressAt: start, checkpointAt: start))
    }

    // MARK: the client's calls

    func head(_ head: HTTPHead) -> Transfer.Flow {
        let known = target.state
        let judge = AnswerJudge(plan: plan, known: known.present.count > 0 ? known.validator : nil)
        return state.withLock { state in
            state.finalURL = head.finalURL
            switch judge.judge(head) {
            case .refused(let refusal):
                state.refusal = refusal
                return .stop
            case .body(let offset, let total, let validator, let allowsRange, let comparison):
                state.offset = offset
                let isPart = head.status == 206
                state.body = Body(
                    total: total, validator: validator, allowsRange: allowsRange, mustCompare: comparison == .unknown,
                    limit: isPart ? plan.end ?? total : total, runsToEnd: !isPart || plan.end == nil)
                return .proceed
            }
        }
    }

    func bytes(_ bytes: [UInt8]) -> Transfer.Flow {
        let (flow, signs) = state.withLock { state in
            var signs: [FetchSign] = []
            take(bytes, &state, &signs)
            return (state.refusal == nil && state.fileError == nil && !state.isDone ? Transfer.Flow.proceed : .stop, signs)
        }
        signs.forEach(sign)
        return flow
    }

    func end(_ error: HTTPError?) -> FetchOutcome {
        let (outcome, signs) = state.withLock { state in
            var signs: [FetchSign] = []
            if error == nil { finish(&state, &signs) }
            return (result(error, state), signs)
        }
        signs.forEach(sign)
        return outcome
    }

    // MARK: bytes

    private func take(_ bytes: [UInt8], _ state: inout State, _ signs: inout [FetchSign]) {
        guard let held = state.held else { return store(bytes, &state, &signs) }
        let all = held + bytes
        // A page has its beginning at the file's beginning.
        switch state.offset > 0 ? .audio : PageSniffer.look(all) {
        case .open: state.held = all
        case .page: state.refusal = .page
        case .audio: accept(all, &state, &signs)
        }
    }

    private func accept(_ bytes: [UInt8], _ state: inout State, _ signs: inout [FetchSign]) {
        guard let body = state.body else { return }
        state.held = nil
        target.announced(total: body.total, validator: body.validator, allowsRange: body.allowsRange)
        signs.append(.flowing)
        store(bytes, &state, &signs)
    }

    private func store(_ bytes: [UInt8], _ state: inout State, _ signs: inout [FetchSign]) {
        guard let body = state.body else { return }
        let bytes = clipped(bytes, &state, body)
        let range = state.offset..<state.offset + Int64(bytes.count)
        do throws(Errno) {
            let before = target.state.present
            if body.mustCompare, try !agrees(bytes, at: state.offset, with: before) {
                state.refusal = .changed
                return
            }
            // What is there already was the same edition's: no need to wear the card.
            if before.firstMissing(from: range.lowerBound) < range.upperBound {
                try file.write(bytes, at: state.offset)
                target.wrote(range, edition: edition, attempt: attempt)
                state.added += target.state.present.count - before.count
            }
            state.offset = range.upperBound
            noteTime(&state, &signs)
        } catch {
            state.fileError = error
        }
    }

    private func clipped(_ bytes: [UInt8], _ state: inout State, _ body: Body) -> [UInt8] {
        guard let limit = body.limit, state.offset + Int64(bytes.count) > limit else { return bytes }
        state.isDone = true
        return Array(bytes.prefix(Int(max(0, limit - state.offset))))
    }

    /// False when a byte that is there already is another one.
    private func agrees(_ bytes: [UInt8], at offset: Int64, with present: ByteRanges) throws(Errno) -> Bool {
        let range = offset..<offset + Int64(bytes.count)
        for old in present.ranges where old.overlaps(range) {
            let shared = old.clamped(to: range)
            let stored = try file.read(at: shared.lowerBound, upTo: shared.count)
            let start = Int(shared.lowerBound - offset)
            if stored[...] != bytes[start..<start + shared.count] { return false }
        }
        return true
    }

    private func noteTime(_ state: inout State, _ signs: inout [FetchSign]) {
        let now = ContinuousClock.now
        if now - state.progressAt >= timings.progressEvery {
            state.progressAt = now
            signs.append(.progress)
        }
        if now - state.checkpointAt >= timings.recordEvery {
            state.checkpointAt = now
            signs.append(.checkpoint)
        }
    }

    // MARK: the end

    private func finish(_ state: inout State, _ signs: inout [FetchSign]) {
        if let held = state.held, !held.isEmpty, state.refusal == nil {
            if PageSniffer.look(held, isWhole: true) == .page {
                state.refusal = .page
            } else {
                accept(held, &state, &signs)
            }
        }
        guard state.refusal == nil, state.fileError == nil, let body = state.body else { return }
        if state.held != nil {
            state.refusal = .empty
        } else if body.total == nil, body.runsToEnd {
            target.ended(at: state.offset, edition: edition)
        }
    }

    private func result(_ error: HTTPError?, _ state: State) -> FetchOutcome {
        if let refusal = state.refusal { return .refused(refusal, from: state.finalURL) }
        if let fileError = state.fileError { return .fileFailed(fileError) }
        guard let error, !state.isDone else { return .arrived(state.added) }
        return .cut(error, state.added)
    }
}
