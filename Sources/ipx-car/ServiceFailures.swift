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

    /// A command that came through and was not obeyed.
    init(_ refusal: RemoteReply.Refusal) {
        switch refusal {
        case .stale: self.init("refused: another episode is the current one by now", as: .refused)
        case .unsupported: self.init("refused: not possible now", as: .refused)
        case .busy: self.init("refused: busy, try again", as: .refused)
        case .invalid: self.init("refused: the service did not understand the command", as: .refused)
        case .unauthorized: self.init("sign in needed", as: .signInNeeded)
        }
    }
}
