import DBus
import DemoKit
import EventLoop

/// Another program on the bus: everything the service says there, and MPRIS as a desktop would call it.
@Core
final class Onlooker {
    private let connection: Connection
    private var subscriptions: [Subscription] = []
    /// What was signalled of MPRIS, in its order.
    private(set) var signals: [BusSignal] = []
    /// Seconds of `MonotonicClock`, one for each of them.
    private(set) var times: [Double] = []
    /// Each state that was pushed to clients.
    private(set) var states: [JSONValue] = []

    private static let name = "org.mpris.MediaPlayer2.ipxcar"
    private static let path: ObjectPath = "/org/mpris/MediaPlayer2"
    private static let player = "org.mpris.MediaPlayer2.Player"

    init(_ bus: String) async throws {
        connection = try await Connection.open(.address(bus))
        subscriptions = [
            connection.subscribe(MatchRule(path: Self.path)) { [weak self] in
                self?.signals.append($0)
                self?.times.append(MonotonicClock.now)
            },
            connection.subscribe(MatchRule(interface: "net.sdf1.ipxcar.HeadUnit1", member: "StateChanged")) { [weak self] in
                if let state = JSONValue(bytes: Array(($0.arguments.first?.asString ?? "").utf8)) {
                    self?.states.append(state)
                }
            },
        ]
    }

    func forget() { (signals, times, states) = ([], [], []) }

    func close() { connection.close() }

    func call(_ member: String) async throws {
        _ = try await connection.call(MethodCall(Self.name, Self.path, Self.player, member), timeout: 5)
    }

    /// Both under way before either is answered.
    func callTwice(_ member: String) async throws {
        connection.call(MethodCall(Self.name, Self.path, Self.player, member)) { _ in }
        try await call(member)
    }

    func get(_ property: String) async throws -> Value? {
        let get = MethodCall(
            Self.name, Self.path, "org.freedesktop.DBus.Properties", "Get", [.string(Self.player), .string(property)])
        return try await connection.call(get, timeout: 5).first?.unwrapped
    }

    /// MPRIS signals as words: `Metadata TITLE`, a status, `Seeked SECONDS`; other properties are left out.
    var words: [(text: String, at: Double)] {
        zip(signals, times).flatMap { signal, time in words(signal).map { ($0, time) } }
    }

    private func words(_ signal: BusSignal) -> [String] {
        if signal.member == "Seeked" { return ["Seeked \((signal.arguments[0].asInt64 ?? -1) / 1_000_000)"] }
        guard signal.arguments.count == 3, let changed = signal.arguments[1].asProperties else { return [] }
        return changed.compactMap { name, value in
            switch name {
            case "Metadata": "Metadata \(value["xesam:title"]?.asString ?? "-")"
            case "PlaybackStatus": value.asString
            default: nil
            }
        }
    }

    /// Every place that was told of this episode: pushed states and jumps.
    func places(_ guid: String) -> [Double] {
        states.filter { $0.guid == guid }.compactMap(\.position)
            + signals.filter { $0.member == "Seeked" }.map { Double($0.arguments[0].asInt64 ?? -1) / 1e6 }
    }
}
