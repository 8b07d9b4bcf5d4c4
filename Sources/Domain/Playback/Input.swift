import Library

/// Everything the core can be told.
public enum Input: Hashable, Sendable {
    case command(Command, from: Origin)
    case event(Event)
}

/// A load of one episode into the engine. Every engine event carries it; events of an older load are dropped.
public struct Generation: Hashable, Comparable, Sendable {
    public var number: Int

    public init(_ number: Int) { self.number = number }

    public static func < (a: Generation, b: Generation) -> Bool { a.number < b.number }
}

/// A fact, in the past tense.
public enum Event: Hashable, Sendable {
    /// What the last run left: first event of a run. `wasPlaying` decides whether it goes on by itself.
    case restored(Queued?, wasPlaying: Bool)
    /// The whole queue after the current episode, in playing order; replaces the former.
    case queueChanged([Queued])
    /// The server moved the position of an episode; never moves the one being played.
    case positionLearned(EpisodeID, Seconds)
    case engine(Generation, EngineEvent)
    /// A sink to play to exists; `car` is its Bluetooth address, nil for the configured fallback. If the same car's sink is
    /// another one than before, `outputLost` comes first: what plays is bound to the sink it was loaded for.
    case outputAppeared(car: String?)
    case outputLost
    case carConnected(address: String)
    case carLeft
    /// Until the first of these there is no network.
    case networkChanged(NetworkState)
    case settingsChanged(PlayerSettings)
    case shutdownRequested
    /// The moment asked for by `Effect.wake` came.
    case timePassed
}

/// What the engine reports of the load it is told about.
public enum EngineEvent: Hashable, Sendable {
    /// The file is open: its duration (nil: the file doesn't tell).
    case opened(duration: Seconds?)
    /// The start offset, or a seek's target, has really been reached.
    case reached(Seconds)
    /// Answer to `askPosition`, and told a moment after a change of speed: the place being heard at `at` (already less the
    /// sound still in the buffers).
    case position(Seconds, at: Instant)
    /// The decoder waits for bytes; the position stands still at this place.
    case stalled(Seconds)
    case flowing(Seconds)
    /// Every announced byte was read and decoded.
    case ended
    /// It can't go on; nothing was skipped. `.offline`/.unauthorized: fetched bytes have been played out.
    case failed(Failure)
}

public enum NetworkState: String, Hashable, Sendable {
    case online
    case offline
    case signIn = "signin"
    case waitingForTime = "waiting-for-time"
}
