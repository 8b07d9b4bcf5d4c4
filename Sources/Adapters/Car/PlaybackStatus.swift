import Library
import Playback

/// MPRIS' status; BlueZ takes these words and no other (AV-40).
public enum PlaybackStatus: String, Hashable, Sendable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
}

/// Which status is shown for what plays (interface.md): a stall is Paused after half a second, a load between two episodes
/// keeps Playing for two.
public struct StatusRule: Hashable, Sendable {
    /// A stall shorter than this is not shown (AV-06).
    public static let stallGrace: Seconds = 0.5
    /// A load between episodes keeps Playing this long (AV-27), even should the player not say when it is over.
    public static let loadGrace: Seconds = 2

    private var now: NowPlaying
    /// Until when Playing is shown though nothing is heard.
    private var graceEnd: Instant?

    public init(_ now: NowPlaying) { self.now = now }

    public mutating func take(_ new: NowPlaying, at moment: Instant) {
        let wasPlaying = status(at: moment) == .playing
        let grace: Seconds? =
            switch new.phase {
            case .buffering where wasPlaying: Self.stallGrace
            case .loading where new.keepsPlaying: Self.loadGrace
            default: nil
            }
        // A load that turns into a stall is one interruption.
        graceEnd = grace.map { seconds in graceEnd ?? moment.advanced(by: seconds) }
        now = new
    }

    public func status(at moment: Instant) -> PlaybackStatus {
        guard now.episode != nil else { return .stopped }
        if now.phase == .playing { return .playing }
        if let graceEnd, moment < graceEnd { return .playing }
        return .paused
    }

    /// When the status changes by itself; nil: only with the next `take`.
    public func nextChange(after moment: Instant) -> Instant? {
        guard let graceEnd, moment < graceEnd else { return nil }
        return graceEnd
    }
}
