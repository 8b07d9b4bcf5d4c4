import Library

/// A wish, from the wheel, a phone, the command line. It may come at any moment; the core decides what it means then.
public enum Command: Hashable, Sendable {
    case play
    case pause
    case toggle
    /// Means pause and save, never unload (product.md).
    case stop
    /// The car's Next and Previous: skip, episode or chapter by `PlayerSettings.next`.
    case next
    case previous
    case nextEpisode
    case previousEpisode
    case seek(to: Seconds)
    /// Relative; negative goes back. Quick ones add up to one seek.
    case skip(by: Seconds)
    /// 0.5…3, clamped.
    case rate(Double)
    /// Takes this episode now; carries it whole, since it need not be in the queue.
    case select(Queued)
}

/// Who wished it. Wheel and car look the same over AVRCP.
public enum Origin: Hashable, Sendable {
    /// AVRCP through BlueZ: may press Play by itself on connecting.
    case car
    /// A key device of the box.
    case key
    case phone
    case mpris
    case commandLine
    /// The service itself, e.g. resuming when the car is back.
    case service
}

/// An episode as the queue offers it: with the position already merged from here and the server.
public struct Queued: Hashable, Sendable {
    public var episode: Episode
    /// Where to go on; 0 when never heard.
    public var position: Seconds
    /// Seconds since it was last heard here; nil when unknown.
    public var away: Seconds?
    /// Complete in the cache: playable without network.
    public var isKept: Bool

    public init(_ episode: Episode, position: Seconds = 0, away: Seconds? = nil, isKept: Bool = false) {
        self.episode = episode
        self.position = position
        self.away = away
        self.isKept = isKept
    }
}
