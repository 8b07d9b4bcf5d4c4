import Dispatch
import EventLoop
import Library
import Linux

/// Makes files outlast a cut of power, on a queue of its own: a card may take seconds over it.
final class Durability: Sendable {
    private let queue = DispatchQueue(label: "net.sdf1.ipxcar.media.sync", qos: .utility)

    /// Syncs the bytes written so far; then `done` on the core, with what went wrong.
    func settle(_ file: RandomAccessFile, done: @escaping @Core @Sendable (Errno?) -> Void) {
        queue.async { Self.answer(done) { () throws(Errno) in try file.synchronizeData() } }
    }

    /// Gives a whole part its final name.
    func promote(
        _ file: RandomAccessFile, _ old: String, to new: String, in folder: Directory,
        done: @escaping @Core @Sendable (Errno?) -> Void
    ) {
        queue.async {
            Self.answer(done) { () throws(Errno) in
                try file.synchronize()
                try folder.rename(old, to: new)
            }
        }
    }

    private static func answer(
        _ done: @escaping @Core @Sendable (Errno?) -> Void, _ work: () throws(Errno) -> Void
    ) {
        do throws(Errno) {
            try work()
            Core.run { done(nil) }
        } catch {
            Core.run { done(error) }
        }
    }
}
