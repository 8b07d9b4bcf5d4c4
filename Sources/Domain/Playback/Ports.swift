import EventLoop
import Library

// The ports the player needs, named by it and filled by the adapters. All are called, and call back, on `Core`.

/// Plays one episode at a time. Reports by `onEvent`, always with the generation of the load it speaks of.
@Core
public protocol PlaybackEngine: AnyObject {
    var onEvent: (@Core (Generation, EngineEvent) -> Void)? { get set }
    /// Replaces what is loaded; nothing of the former load is reported afterwards.
    func load(_ load: Load)
    func unload()
    func setPaused(_ paused: Bool)
    /// `reached` follows.
    func seek(to position: Seconds)
    func setRate(_ rate: Double)
    /// `position` follows, unless nothing is loaded.
    func askPosition()
    /// The sink to play to, by its name at the sound server; takes effect with the next load. Nil: none, play nothing.
    func setOutput(sink: String?)
}

/// Where positions survive a cut of power. A call returns when the record is on the disk.
@Core
public protocol PositionStore: AnyObject {
    func store(_ record: PositionRecord, reason: Heard.Reason) throws(Failure)
    func record(of episode: EpisodeID) throws(Failure) -> PositionRecord?
    /// What played last, and whether it was playing.
    func setCurrent(_ episode: EpisodeID?, wasPlaying: Bool) throws(Failure)
    func current() throws(Failure) -> (episode: Episode, wasPlaying: Bool)?
}

/// The sink of the connected car, or the configured fallback.
@Core
public protocol AudioOutput: AnyObject {
    /// Sink name and the car's address; nil when there is nothing to play to.
    var onChange: (@Core (Output?) -> Void)? { get set }
    var current: Output? { get }
    /// The car BlueZ shows as connected (and its address), or nil.
    func carChanged(address: String?)
    /// 0…100 on the sink; nil when unknown.
    var volume: Int? { get }
    /// False when there is no sink to set it on.
    func setVolume(_ volume: Int) -> Bool
    var isMuted: Bool? { get }
    func setMuted(_ muted: Bool) -> Bool
    /// `volume` or `isMuted` is another one now, whoever changed it.
    var onVolumeChange: (@Core () -> Void)? { get set }
}

public struct Output: Hashable, Sendable {
    public var sink: String
    /// Bluetooth address as `AA:BB:CC:DD:EE:FF`; nil for the fallback.
    public var car: String?

    public init(sink: String, car: String?) {
        self.sink = sink
        self.car = car
    }
}

/// Anything that shows what plays: the car's dash, MPRIS, the phones.
@Core
public protocol NowPlayingDisplay: AnyObject {
    /// `jumped`: the position did not just run on since the last call.
    func show(_ now: NowPlaying, jumped: Bool)
}
