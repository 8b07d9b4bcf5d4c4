import EventLoop
import Library
import Playback

/// Episodes from memory: every load gets a `FakeReader` over the bytes set for its episode, and is remembered.
@Core
public final class FakeMediaSource: MediaSource {
    public private(set) var loads: [Load] = []
    public private(set) var readers: [FakeReader] = []
    private var bytes: [EpisodeID: [UInt8]] = [:]
    /// Called with each reader before the engine gets it, e.g. to let it wait or fail.
    public var prepare: (@Core (FakeReader, Load) -> Void)?

    public init() {}

    public func set(_ bytes: [UInt8], for episode: EpisodeID) { self.bytes[episode] = bytes }

    /// An episode without bytes is empty.
    public func open(_ load: Load) -> any EpisodeReader {
        let reader = FakeReader(bytes[load.episode.id] ?? [])
        loads.append(load)
        readers.append(reader)
        prepare?(reader, load)
        return reader
    }
}
