import DBus
import RemoteProtocol

extension Failed {
    /// A call that did not come through.
    init(_ error: DBusError) {
        switch error {
        case .error(let name, _) where Self.namesNobody.contains(name):
            self.init("the service is not running", as: .notRunning)
        case .disconnected:
            self.init("the service is not running: the bus is gone", as: .notRunning)
        case .error("org.freedesktop.DBus.Error.AccessDenied", _):
            self.init("not permitted: only root and members of group ipx-car may")
        case .timedOut:
            self.init("the service does not answer")
        default:
            self.init("the service failed: \(error)")
        }
    }

    private static let namesNobody: Set<String> = [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    ]

    /// A command that came through and was not obeyed; `text` is the service's own sentence, if it has one.
    init(_ refusal: RemoteReply.Refusal, _ text: String?) {
        let code: ExitCode = refusal == .unauthorized ? .signInNeeded : .refused
        self.init(text.map { "refused: \($0)" } ?? Self.sentence(refusal), as: code)
    }

    private static func sentence(_ refusal: RemoteReply.Refusal) -> String {
        switch refusal {
        case .stale: "refused: another episode is the current one by now"
        case .unsupported: "refused: not possible now"
        case .busy: "refused: busy, try again"
        case .invalid: "refused: the service did not understand the command"
        case .unauthorized: "sign in needed"
        }
    }
}
