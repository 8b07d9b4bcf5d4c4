import Playback
import RemoteProtocol

/// The state in one line for a person. What is unknown is said to be unknown.
struct StatusLine {
    let text: String

    init(_ state: RemoteState) {
        let parts = [
            Self.playing(state), Self.car(state), Self.volume(state), Self.network(state.network),
            "\(state.queue.count) in the queue", state.unread.map { "\($0) unread" }, state.kept.map { "\($0.count) kept" },
            state.message,
        ]
        text = parts.compactMap { $0 }.joined(separator: "; ")
    }

    private static func playing(_ state: RemoteState) -> String {
        let reason = state.reason.map { " (\(words(for: $0)))" } ?? ""
        guard let episode = state.episode else { return "nothing to play\(reason)" }
        let place = state.position(at: state.now).map(PlaceArgument.clock) ?? "unknown place"
        let length = episode.duration.map(PlaceArgument.clock) ?? "unknown length"
        let rate = state.rate == 1 ? "" : " at \(state.rate)×"
        return "\(state.phase.rawValue)\(reason): \(episode.title) (\(episode.feedTitle)), \(place) of \(length)\(rate)"
    }

    private static func words(for reason: NowPlaying.Reason) -> String {
        switch reason {
        case .driver: "by the driver"
        case .carLost: "the car is gone"
        case .outputLost: "the sound output is gone"
        case .call: "the car listens elsewhere"
        case .shutdown: "shutting down"
        case .outOfBytes: "waiting for the network"
        case .held: "held back after connecting"
        }
    }

    private static func car(_ state: RemoteState) -> String {
        let name = state.car.name.map { " \($0)" } ?? ""
        return switch (state.car.connected, state.car.sink) {
        case (true?, true?): "car\(name) connected"
        case (true?, _): "car\(name) connected, no audio"
        case (false?, _): "no car"
        case (nil, _): "car unknown"
        }
    }

    private static func volume(_ state: RemoteState) -> String {
        guard let volume = state.volume else { return "volume unknown" }
        return state.muted == true ? "muted" : "volume \(volume)"
    }

    private static func network(_ network: NetworkState?) -> String {
        switch network {
        case .online?: "online"
        case .offline?: "offline"
        case .signIn?: "sign in needed"
        case .waitingForTime?: "waiting for the time"
        case nil: "network unknown"
        }
    }
}
