import EventLoop
import Library

/// Where the engine gets an episode's bytes: the file in the cache, filled by the fetcher as it plays.
@Core
public protocol MediaSource: AnyObject {
    /// Opens the bytes for one load and makes the fetcher work for it; the former reader is cancelled by its owner.
    func open(_ load: Load) -> any EpisodeReader
}

/// The bytes of one episode, read by the engine's own threads. Waits for what is not there yet; a network cut never looks
/// like the end.
public protocol EpisodeReader: AnyObject, Sendable {
    /// Bytes in all, once announced; may wait for the first answer. Nil: the server doesn't tell, or it failed.
    func size() -> Int64?
    /// Up to `count` bytes from `offset`, at least one; waits until there is one, the end is certain, or `cancel`.
    func read(at offset: Int64, upTo count: Int) -> ReadOutcome
    /// Ends every wait now and for good; callable from any thread.
    func cancel()
    /// Why reading ended for good, if it did by a failure: libmpv can't tell a fault from the end, so the engine asks here.
    var failure: Failure? { get }
    /// True once the reader handed out the byte at the announced (or certain) end.
    var hasReadToEnd: Bool { get }
}

public enum ReadOutcome: Hashable, Sendable {
    case bytes([UInt8])
    case end
    case failed(Failure)
    case cancelled
}
