import Dispatch
import EventLoop
import PulseAudio

/// Keeps a connection to the sound server: again and again, slower up to every `slowest` seconds, for ever.
///
/// A server that hangs counts as gone: it must answer a question every few seconds.
@Core
final class ServerLink {
    var onReady: (@Core (PulseContext) -> Void)?
    var onLost: (@Core () -> Void)?
    /// An attempt came to nothing, or a connection was lost.
    var onFailed: (@Core () -> Void)?
    var onChange: (@Core (Change) -> Void)?

    private(set) var context: PulseContext?

    private let server: String?
    private let patience: Double
    private let log: @Core (String) -> Void
    private var isReady = false
    private var failures = 0
    private var timer: DispatchSourceTimer?
    private var answered = true

    private static let slowest = 4.0

    /// `patience`: seconds in which a server must have answered.
    init(server: String?, patience: Double, log: @escaping @Core (String) -> Void) {
        self.server = server
        self.patience = patience
        self.log = log
    }

    func start() { connect() }

    func stop() {
        timer?.cancel()
        timer = nil
        context?.close()
        context = nil
        isReady = false
    }

    private func connect() {
        let context = PulseContext(server: server, name: "ipx-car")
        self.context = context
        context.onState = { [weak self] in self?.stateChanged($0) }
        context.onChange = { [weak self] in self?.onChange?($0) }
        after(patience) { $0.lost("no answer") }
    }

    private func stateChanged(_ state: PulseContext.State) {
        switch state {
        case .ready:
            isReady = true
            failures = 0
            log("sound server connected")
            context.map { onReady?($0) }
            answered = true
            watch()
        case .failed(let error): lost("\(error)")
        }
    }

    private func lost(_ cause: String) {
        context?.close()
        context = nil
        // One line when it goes, not one per attempt.
        if isReady || failures == 0 { log("sound server gone: \(cause)") }
        failures += 1
        if isReady {
            isReady = false
            onLost?()
        }
        onFailed?()
        after(min(ServerLink.slowest, 0.125 * Double(1 << min(failures, 6)))) { $0.connect() }
    }

    /// Asks something small; the answer must be there when the next question is due.
    private func watch() {
        guard answered else { return lost("it hangs") }
        answered = false
        context?.server { [weak self] in
            if case .success = $0 { self?.answered = true }
        }
        after(patience) { $0.watch() }
    }

    private func after(_ seconds: Double, _ body: @escaping @Core (ServerLink) -> Void) {
        timer?.cancel()
        let timer = DispatchSource.makeTimerSource(queue: Core.queue)
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            body(self)
        }
        timer.schedule(deadline: .now() + seconds, leeway: .milliseconds(Int(seconds * 50)))
        timer.activate()
        self.timer = timer
    }
}
