import Library
import Linux
import Playback
import Synchronization

/// Reads one episode's file for the engine and waits where bytes are not there yet. Its calls block: engine threads only.
final class FileReader: EpisodeReader {
    private struct Progress {
        /// The edition of the bytes handed out; nil: none were.
        var edition: Int?
        var failure: Failure?
        var hasReadToEnd = false
    }

    private struct Found {
        var file: RandomAccessFile
        var edition: Int
        var count: Int
        /// The last of them is the file's last byte.
        var reachesEnd: Bool
    }

    private enum Look {
        case bytes(Found)
        case end
        case failed(Failure)
        /// The server's file is another one now, and mixing both would be noise.
        case stale
        case cancelled
        /// Wait, after telling the fetcher where.
        case demanded
    }

    private let source: EpisodeFile
    private let progress = Mutex(Progress())
    private let isCancelled = Atomic<Bool>(false)
    private let log: @Sendable (String) -> Void

    init(_ source: EpisodeFile, log: @escaping @Sendable (String) -> Void) {
        self.source = source
        self.log = log
    }

    var failure: Failure? { progress.withLock { $0.failure } }
    var hasReadToEnd: Bool { progress.withLock { $0.hasReadToEnd } }

    func size() -> Int64? {
        source.monitor.wait { state -> Int64?? in
            if let total = state.total { return .some(total) }
            let isKnownUnknown = state.validator != nil || state.failure != nil
            return isCancelled.load(ordering: .acquiring) || isKnownUnknown ? .some(nil) : nil
        }
    }

    func read(at offset: Int64, upTo count: Int) -> ReadOutcome {
        while true {
            switch look(offset, count) {
            case .demanded: source.tellOfDemand()
            case .cancelled: return .cancelled
            case .failed(let failure): return fail(failure)
            // No failure of its own: opened again at its place, the new file plays.
            case .stale: return .failed(.media)
            case .end:
                progress.withLock { $0.hasReadToEnd = true }
                return .end
            case .bytes(let found): return bytes(found, at: offset)
            }
        }
    }

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        // Nothing changes but what the sleepers look at.
        source.monitor.change { _ in }
    }

    /// Sleeps until there is something to say about the byte at `offset`.
    private func look(_ offset: Int64, _ count: Int) -> Look {
        source.monitor.wait { state -> Look? in
            if isCancelled.load(ordering: .acquiring) { return .cancelled }
            if !pin(state.edition) { return .stale }
            if let total = state.total, offset >= total { return .end }
            let end = state.present.firstMissing(from: offset)
            if end > offset, let file = state.file {
                let count = Int(min(Int64(count), end - offset))
                let reachesEnd = offset + Int64(count) == state.total
                return .bytes(Found(file: file, edition: state.edition, count: count, reachesEnd: reachesEnd))
            }
            if let failure = state.failure { return .failed(failure) }
            return EpisodeFile.note(offset, in: &state) ? .demanded : nil
        }
    }

    private func pin(_ edition: Int) -> Bool { progress.withLock { $0.edition == nil || $0.edition == edition } }

    /// A fault of the disk is no failure for good either: opened again, a kept copy is not used.
    private func bytes(_ found: Found, at offset: Int64) -> ReadOutcome {
        guard let bytes = stored(found, at: offset), !bytes.isEmpty else { return .failed(.media) }
        progress.withLock { progress in
            progress.edition = progress.edition ?? found.edition
            if found.reachesEnd, bytes.count == found.count { progress.hasReadToEnd = true }
        }
        return .bytes(bytes)
    }

    private func stored(_ found: Found, at offset: Int64) -> [UInt8]? {
        do throws(Errno) {
            return try found.file.read(at: offset, upTo: found.count)
        } catch {
            log("cannot read the bytes on the disk: \(error)")
            return nil
        }
    }

    private func fail(_ failure: Failure) -> ReadOutcome {
        progress.withLock { $0.failure = failure }
        return .failed(failure)
    }
}
