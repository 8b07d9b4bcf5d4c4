import DBus
import DemoKit
import EventLoop
import Library
import Playback
import RemoteProtocol

/// Somebody on a private bus who owns the service's name and answers as it is told.
@Core
final class StandInService {
    nonisolated let bus: PrivateBus
    private let connection: Connection
    private(set) var commands: [String] = []
    var outcome = RemoteReply.Outcome.done(seq: 2)
    var sentence: String?
    var state: RemoteState

    init(owning name: String = "net.sdf1.ipxcar") async throws {
        bus = try PrivateBus()
        state = .drive
        connection = try await Connection.open(.address(bus.address))
        connection.export([interface], at: "/net/sdf1/ipxcar")
        try await connection.requestName(name)
    }

    private var interface: Interface {
        Interface(
            "net.sdf1.ipxcar.HeadUnit1",
            methods: [
                Method("GetState", returns: [Argument("state", .string)]) { [unowned self] _ throws(DBusError) in
                    [.string(RemoteJSON.text(state))]
                },
                Method(
                    "Command", [Argument("command", .string)], returns: [Argument("reply", .string)]
                ) { [unowned self] call throws(DBusError) in [.string(answer(call.arguments[0].asString ?? ""))] },
            ], signals: [])
    }

    private func answer(_ text: String) -> String {
        commands.append(text)
        return RemoteJSON.text(RemoteReply(id: BusRequest.id(in: text), outcome, text: sentence))
    }

    /// What arrived, understood as the service would.
    var requests: [BusRequest] { commands.compactMap { try? BusRequest(json: $0) } }

    var actions: [RemoteAction] {
        requests.compactMap { if case .remote(let command) = $0 { command.action } else { nil } }
    }

    func announce() throws {
        try connection.emit(
            BusSignal("/net/sdf1/ipxcar", "net.sdf1.ipxcar.HeadUnit1", "StateChanged", [.string(RemoteJSON.text(state))]))
    }

    func call(_ title: String) { state.episode?.title = title }

    func stop() { connection.close() }

    func refuse(_ refusal: RemoteReply.Refusal, because sentence: String? = nil) {
        outcome = .refused(refusal, state: state)
        self.sentence = sentence
    }
}

extension RemoteState {
    /// A drive with an episode and a queue in which one guid stands in two feeds.
    static var drive: RemoteState {
        func queued(_ feed: String, _ guid: String, kept: Bool = false) -> Queued {
            let id = EpisodeID(server: "s", feed: feed, guid: guid)
            return Queued(
                Episode(id: id, title: "Title \(guid)", feedTitle: "Show \(feed)", duration: 1800), position: 60,
                isKept: kept)
        }
        var around = RemoteSurroundings()
        around.queue = [queued("f1", "g1", kept: true), queued("f2", "https://x.example/a?b"), queued("f3", "g1")]
        around.car = RemoteCar(connected: true, name: "Kombi", sink: true)
        around.volume = 40
        around.network = .online
        let episode = Episode(id: EpisodeID(server: "s", feed: "f9", guid: "now"), title: "On air", feedTitle: "The show")
        let playing = NowPlaying(
            phase: .paused, reason: .driver, episode: episode, duration: 3723, position: 754.3, at: Instant(nanoseconds: 0))
        return RemoteState(boot: "b", seq: 1, now: Instant(nanoseconds: 5_000_000_000), playing: playing, around: around)
    }
}
