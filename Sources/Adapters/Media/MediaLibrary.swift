import EventLoop
import HTTPClient
import Library
import Linux
import Playback

/// The episodes' files: opens them for the engine, and fetches what is not there. Streaming and keeping are one thing: an
/// episode streamed to its end is a kept one.
@Core
public final class MediaLibrary: MediaSource {
    /// How far an episode has come; at most twice a second for each.
    public var onProgress: (@Core (EpisodeID, FetchProgress) -> Void)?
    /// Fetching can't reach the server (`.offline`), is not let in (`.unauthorized`), or works again (nil). Changes only.
    public var onNetwork: (@Core (Failure?) -> Void)?

    private let context: FetchContext
    private var fetcher: Fetcher?
    /// Stopped ones that still write their file or record: who wants that episode again takes them up, not the file.
    private var resting: [MediaKey: Fetcher] = [:]
    private var readers: [WeakReader] = []
    private var reach: Failure?

    private struct WeakReader {
        weak var reader: FileReader?
    }

    /// Makes `cacheDirectory` and the folder `media` in it when they are missing.
    /// - Parameters:
    ///   - server: where to ask and as whom; looked at before every request. Nil: no server is set.
    ///   - refresh: asked once when the server says 401 or 403; gives the enclosure as it is listed now.
    ///   - chance: 0 up to 1, spreads retries.
    ///   - log: lines for the journal, from any thread; never a secret.
    public init(
        cacheDirectory: String, client: HTTPClient, records: any PartRecords,
        timings: FetchTimings = FetchTimings(),
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        server: @escaping @Core @Sendable () -> MediaServer?,
        refresh: @escaping @Core @Sendable (EpisodeID, Enclosure) async -> Enclosure? = { _, _ in nil },
        log: @escaping @Sendable (String) -> Void
    ) throws(FileError) {
        let folder = Directory(cacheDirectory + "/media")
        try folder.create()
        context = FetchContext(
            client: client, folder: folder, records: records, timings: timings, chance: chance, server: server,
            refresh: refresh, log: log)
    }

    // MARK: playing

    public func open(_ load: Load) -> any EpisodeReader {
        let key = MediaKey(load.episode.id, enclosure: load.enclosure.number)
        let reader = FileReader(source(key, load.enclosure), log: context.log)
        readers.removeAll { $0.reader == nil }
        readers.append(WeakReader(reader: reader))
        return reader
    }

    private func source(_ key: MediaKey, _ enclosure: Enclosure) -> EpisodeFile {
        if let kept = keptFile(key) {
            if fetcher?.key != key { stopFetching() }
            return kept
        }
        if fetcher?.key != key { stopFetching() }
        if let same = fetcher ?? resting.removeValue(forKey: key), !same.isWhole || same.isBusy {
            fetcher = same
            same.renew(enclosure)
            return same.file
        }
        stopFetching()
        return startFetching(key, enclosure)
    }

    private func keptFile(_ key: MediaKey) -> EpisodeFile? {
        guard let size = context.folder.size(of: key.fileName), size > 0 else { return nil }
        do throws(FileError) {
            return .kept(try RandomAccessFile.open(context.folder.path(of: key.fileName), writable: false), size: size)
        } catch {
            context.log("a kept episode can't be opened: \(error)")
            return nil
        }
    }

    private func startFetching(_ key: MediaKey, _ enclosure: Enclosure) -> EpisodeFile {
        let start: EpisodeFile.State
        do {
            start = try PartStart.state(of: key, in: context.folder, context.records)
        } catch {
            context.log("no file for the episode's bytes: \(error)")
            return .unusable(.internal)
        }
        let file = EpisodeFile(start, demanded: { Core.run { [weak self] in self?.demandChanged(key) } })
        let fetcher = Fetcher(key, enclosure, file, context)
        fetcher.onReach = { [weak self] in self?.reached($0) }
        fetcher.onProgress = { [weak self] in self?.onProgress?(key.episode, $0) }
        self.fetcher = fetcher
        fetcher.renew()
        return file
    }

    private func demandChanged(_ key: MediaKey) {
        guard let fetcher, fetcher.key == key else { return }
        fetcher.demandChanged()
    }

    private func reached(_ failure: Failure?) {
        guard failure != reach else { return }
        reach = failure
        onNetwork?(failure)
    }

    // MARK: keeping

    /// The whole file is here.
    public func isKept(_ episode: Episode) -> Bool {
        episode.enclosures.contains { isKept(MediaKey(episode.id, enclosure: $0.number)) }
    }

    public func isKept(_ key: MediaKey) -> Bool { (context.folder.size(of: key.fileName) ?? 0) > 0 }

    /// Drops a kept file that does not decode: the next `open` fetches it anew.
    public func discard(_ key: MediaKey) throws(FileError) {
        if fetcher?.key == key { stopFetching() }
        try context.folder.remove(key.fileName)
        try context.folder.sync()
    }

    /// Removes kept files and parts that belong to none of `keys`; the current one's stay, and so do strangers' files.
    public func sweep(keeping keys: Set<MediaKey>) {
        var stay = Set(keys.flatMap { [$0.fileName, $0.partName] })
        for key in [fetcher?.key].compactMap({ $0 }) + resting.keys { stay.formUnion([key.fileName, key.partName]) }
        do {
            for name in try context.folder.names() where MediaKey.isOurs(name) && !stay.contains(name) {
                try context.folder.remove(name)
                if name.hasSuffix(MediaKey.partSuffix) {
                    try context.records.delete(String(name.dropLast(MediaKey.partSuffix.count)))
                }
            }
        } catch {
            context.log("left-over files could not be swept: \(error)")
        }
    }

    // MARK: the world around

    /// Tries again now instead of after the wait: the network is back, a sign-in or another server was set.
    public func retryNow() { fetcher?.renew() }

    /// Ends every wait and every request; for the end of the service.
    public func cancelAll() {
        for reader in readers { reader.reader?.cancel() }
        readers = []
        stopFetching()
    }

    private func stopFetching() {
        guard let fetcher else { return }
        self.fetcher = nil
        fetcher.stop()
        guard fetcher.isBusy else { return }
        let key = fetcher.key
        resting[key] = fetcher
        fetcher.onRest = { [weak self, weak fetcher] in
            if let self, self.resting[key] === fetcher { self.resting[key] = nil }
        }
    }
}
