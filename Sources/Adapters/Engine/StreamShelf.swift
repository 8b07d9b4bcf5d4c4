import MPV
import Synchronization

/// The stream of the attempt at hand by the URL mpv is told, `ipx://ATTEMPT`: mpv asks for it on a thread of its own.
final class StreamShelf: Sendable {
    private let streams = Mutex<[String: EpisodeStream]>([:])

    /// One at a time: mpv holds on to an older one by itself.
    func put(_ stream: EpisodeStream, for attempt: Int) { streams.withLock { $0 = [Self.url(attempt): stream] } }

    func clear() { streams.withLock { $0 = [:] } }

    func open(_ url: String) -> (any StreamReader)? { streams.withLock { $0[url] } }

    static func url(_ attempt: Int) -> String { "\(EngineOptions.scheme)://\(attempt)" }
}
