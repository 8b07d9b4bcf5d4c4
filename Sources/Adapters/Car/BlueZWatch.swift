import DBus
import EventLoop
import Library
import Linux
import Playback

/// Follows one bluetoothd after the other, and the objects each of them shows.
@Core
final class BlueZWatch {
    enum News {
        /// Nobody owns `org.bluez` any more.
        case gone
        /// The objects changed; `owner` is the unique name of who shows them.
        case objects(BlueZObjects, owner: String)
        /// It did not answer; told once until it does.
        case refused(DBusError)
    }

    private let connection: Connection
    private let clock: @Core () -> Instant
    private let tell: @Core (News) -> Void
    private var ownerWatch: Subscription?
    private var signals: [Subscription] = []
    private var owner: String?
    /// Nil until `GetManagedObjects` was answered.
    private var objects: BlueZObjects?
    private var backoff = Backoff(from: 0.5, to: 60)
    private var hasToldRefusal = false
    private lazy var retry = CoreTimer { [weak self] in self?.ask() }

    private static let name = "org.bluez"
    private static let manager = "org.freedesktop.DBus.ObjectManager"
    private static let properties = "org.freedesktop.DBus.Properties"

    init(on connection: Connection, clock: @escaping @Core () -> Instant, tell: @escaping @Core (News) -> Void) {
        self.connection = connection
        self.clock = clock
        self.tell = tell
        ownerWatch = connection.watchOwner(of: Self.name) { [weak self] in self?.ownerChanged($0) }
    }

    private func ownerChanged(_ new: String?) {
        let former = owner
        signals = []
        objects = nil
        retry.set(at: nil)
        backoff.reset()
        hasToldRefusal = false
        owner = new
        if former != nil { tell(.gone) }
        guard let new else { return }
        // First the rules, then the question: nothing falls between. By the unique name, which nobody can fake.
        signals = [
            connection.subscribe(MatchRule(sender: new, interface: Self.manager)) { [weak self] in self?.managed($0) },
            connection.subscribe(
                MatchRule(sender: new, pathNamespace: "/org/bluez", interface: Self.properties, member: "PropertiesChanged")
            ) { [weak self] in self?.changed($0) },
        ]
        ask()
    }

    private func ask() {
        guard let owner else { return }
        connection.call(MethodCall(owner, "/", Self.manager, "GetManagedObjects"), timeout: 5) { [weak self] result in
            guard let self, owner == self.owner else { return }
            switch result {
            case .success(let values): answered(values.first, by: owner)
            case .failure(.disconnected): break
            case .failure(let error): refused(error)
            }
        }
    }

    private func answered(_ managed: Value?, by owner: String) {
        var objects = BlueZObjects()
        objects.replace(managed)
        self.objects = objects
        tell(.objects(objects, owner: owner))
    }

    private func refused(_ error: DBusError) {
        if !hasToldRefusal { tell(.refused(error)) }
        hasToldRefusal = true
        retry.set(at: clock().advanced(by: error.isLasting ? 60 : backoff.wait()).nanoseconds)
    }

    private func managed(_ signal: BusSignal) {
        guard let path = signal.arguments.first?.asObjectPath, signal.arguments.count == 2 else { return }
        switch signal.member {
        case "InterfacesAdded": update { $0.add(signal.arguments[1], to: path) }
        case "InterfacesRemoved": update { $0.remove(signal.arguments[1].asStrings ?? [], from: path) }
        default: break
        }
    }

    private func changed(_ signal: BusSignal) {
        guard signal.arguments.count == 3, let interface = signal.arguments[0].asString,
            let changed = signal.arguments[1].asProperties, let invalidated = signal.arguments[2].asStrings
        else { return }
        update { $0.change(interface, changed, invalidated, of: signal.path) }
    }

    /// What comes before the answer is in the answer.
    private func update(_ change: (inout BlueZObjects) -> Void) {
        guard let owner, objects != nil else { return }
        // swift-format-ignore: NeverForceUnwrap
        change(&objects!)
        // swift-format-ignore: NeverForceUnwrap
        tell(.objects(objects!, owner: owner))
    }
}
