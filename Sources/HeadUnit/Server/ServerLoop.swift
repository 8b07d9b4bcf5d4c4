import EventLoop
import IpxAPI
import Library
import Linux
import Playback

/// When the server is asked: at start, every quarter of an hour, when something must be sent, and after a failure with a pause
/// that grows. One round at a time.
@Core
final class ServerLoop {
    /// What one round does; throws at the first call that gave nothing.
    private let round: @Core () async throws(CallFailure) -> Void
    private let log: Log
    var onNetwork: (@Core (NetworkState) -> Void)?
    private(set) var network: NetworkState?
    private var isBusy = false
    private var isWanted = false
    private var backoff = Backoff()
    private lazy var alarm = Alarm { [weak self] in self?.go() }

    /// Seconds between looks at the lists while nothing happens.
    static let usualPause: Seconds = 900

    init(log: Log, round: @escaping @Core () async throws(CallFailure) -> Void) {
        self.log = log
        self.round = round
    }

    /// Asks now; a round under way is followed by another.
    func go() {
        isWanted = true
        guard !isBusy else { return }
        isBusy = true
        Task { @Core in await self.work() }
    }

    /// Something waits to be sent: now when the server is there, else with the next try.
    func sendSoon() {
        if network == .online { go() }
    }

    /// The next round comes no later than this.
    func goBy(_ moment: Instant) {
        alarm.ring(after: max(0.05, min(moment.seconds(since: monotonicNow()), Self.usualPause)))
    }

    private func work() async {
        while isWanted {
            isWanted = false
            do throws(CallFailure) {
                alarm.ring(after: Self.usualPause)
                try await round()
                succeeded()
            } catch {
                failed(error)
            }
        }
        isBusy = false
    }

    private func succeeded() {
        backoff.reset()
        note(.online)
    }

    private func failed(_ failure: CallFailure) {
        if network == nil || network == .online { log.info("server call failed", ["cause": failure.description]) }
        note(failure.network)
        isWanted = false
        let now = monotonicNow()
        backoff.failed(at: now, retryAfter: failure.retryAfter, chance: Double.random(in: 0..<1))
        alarm.ring(after: backoff.notBefore?.seconds(since: now) ?? Backoff.longest)
    }

    private func note(_ state: NetworkState) {
        guard state != network else { return }
        network = state
        log.info("network", ["state": state.rawValue])
        onNetwork?(state)
    }
}

extension CallFailure {
    var network: NetworkState {
        switch kind {
        case .signIn: .signIn
        case .waitingForTime: .waitingForTime
        case .offline, .notAnAnswer, .tryLater, .notFound, .unsupported, .refused, .badAddress, .internal: .offline
        }
    }
}
