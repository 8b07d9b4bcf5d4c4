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

    let context: FetchContext
    /// Of the episode that was opened last.
    var current: Fetcher?
    /// Of one to keep, while the current one needs nothing.
    var keeping: Fetcher?
    var wanted: [Wanted] = []
    var reserve: Int64 = 0
    /// Stopped ones that still write their file or record: who wants that episode again takes them up, not the file.
    var resting: [MediaKey: Fetcher] = [:]
    /// Kept files that could not be played: streamed instead, until a new download replaces them.
    var distrusted: Set<MediaKey> = []
    var lastOpened: (key: MediaKey, generation: Generation, wasKept: Bool)?
    private var readers: [WeakReader] = []
    private var reach: Failure?

    private struct WeakReader {
        weak var reader: FileReader?
    }

    struct Wanted {
        var key: MediaKey
        var enclosure: Enclosure
        /// Given up this time.
        var hasFailed = false
    }

    /// Makes `cacheDirectory` and the folder `media` in it when they are missing.
    /// - Parameters:
    ///   - request: where an enclosure is asked for and with which credentials; looked at before every request, which gets
    ///     its range and its time limits here. Nil: nowhere.
    ///   - refresh: asked once when the server says 401 or 403; gives the enclosure as it is listed now.
    ///   - chance: 0 up to 1, spreads retries.
    ///   - log: lines for the journal, from any thread; never a secret.
    public init(
        cacheDirectory: String, client: HTTPClient, records: any PartRecords,
        timings: FetchTimings = FetchTimings(),
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        request: @escaping @Core @Sendable (Enclosure) -> HTTPRequest?,
        refresh: @escaping @Core @Sendable (EpisodeID, Enclosure) async -> Enclosure? = { _, _ in nil },
        log: @escaping @Sendable (String) -> Void
    ) throws(Errno) {
        let folder = Directory(cacheDirectory + "/media")
        try folder.make()
        context = FetchContext(
            client: client, folder: folder, records: records, timings: timings, chance: chance, request: request,
            refresh: refresh, log: log)
    }

    // MARK: - Playing

    public func open(_ load: Load) -> any EpisodeReader {
        let key = MediaKey(load.episode.id, enclosure: load.enclosure.number)
        if lastOpened?.key != key { forgetReach() }
        noteRepeated(key, load.generation)
        let source = source(key, load.enclosure)
        let reader = FileReader(source, log: context.log)
        readers.removeAll { $0.reader == nil }
        readers.append(WeakReader(reader: reader))
        continueKeeping()
        return reader
    }

    /// The engine opens a load a second time only when the first bytes did not play: then the kept copy is not to be trusted.
    private func noteRepeated(_ key: MediaKey, _ generation: Generation) {
        if let last = lastOpened, last.key == key, last.generation == generation, last.wasKept {
            context.log("the kept copy of \(key.fileName.prefix(8)) does not play: streaming it instead")
            distrusted.insert(key)
        }
        lastOpened = (key, generation, isKept(key))
    }

    private func source(_ key: MediaKey, _ enclosure: Enclosure) -> EpisodeFile {
        if current?.key != key { stopCurrent() }
        if let kept = keptFile(key) { return kept }
        if let same = fetcherAtWork(on: key) {
            current = same
            same.reserve = nil
            same.renew(enclosure)
            return same.file
        }
        stopCurrent()
        stopKeeping()
        guard let fetcher = makeFetcher(key, enclosure) else { return .unusable(.internal) }
        current = fetcher
        fetcher.renew()
        return fetcher.file
    }

    /// One that has the episode's file in its hands already.
    private func fetcherAtWork(on key: MediaKey) -> Fetcher? {
        var found = current
        if keeping?.key == key {
            found = keeping
            keeping = nil
        }
        if let resting = resting.removeValue(forKey: key) { found = resting }
        guard let found, found.key == key, !found.isWhole || found.isBusy else { return nil }
        if keeping != nil { stopKeeping() }
        return found
    }

    private func keptFile(_ key: MediaKey) -> EpisodeFile? {
        guard isKept(key), let size = context.folder.size(of: key.fileName) else { return nil }
        do throws(Errno) {
            return .kept(try RandomAccessFile.open(context.folder.path(of: key.fileName), writable: false), size: size)
        } catch {
            context.log("a kept episode can't be opened: \(error)")
            return nil
        }
    }

    func makeFetcher(_ key: MediaKey, _ enclosure: Enclosure) -> Fetcher? {
        let start: EpisodeFile.State
        do {
            start = try PartStart.state(of: key, in: context.folder, context.records)
        } catch {
            context.log("no file for the episode's bytes: \(error)")
            return nil
        }
        let file = EpisodeFile(start, demanded: { [weak self] in Core.run { [weak self] in self?.demandChanged(key) } })
        let fetcher = Fetcher(key, enclosure, file, context)
        fetcher.onReach = { [weak self] in self?.reached($0) }
        fetcher.onProgress = { [weak self] in self?.progressed(key, $0) }
        fetcher.onDone = { [weak self] in self?.continueKeeping() }
        return fetcher
    }

    private func demandChanged(_ key: MediaKey) {
        guard let current, current.key == key else { return }
        current.demandChanged()
    }

    /// What one episode's host did says nothing of the next one's. Not at once: who opens doesn't expect news meanwhile.
    private func forgetReach() {
        guard reach == .offline else { return }
        Core.run { [weak self] in if self?.reach == .offline { self?.reached(nil) } }
    }

    private func reached(_ failure: Failure?) {
        guard failure != reach else { return }
        reach = failure
        onNetwork?(failure)
    }

    func progressed(_ key: MediaKey, _ progress: FetchProgress) {
        if progress.isKept { distrusted.remove(key) }
        onProgress?(key.episode, progress)
    }

    // MARK: - The world around

    /// Tries again now instead of after the wait: the network is back, a sign-in or another server was set.
    public func retryNow() {
        current?.renew()
        for place in wanted.indices { wanted[place].hasFailed = false }
        keeping?.renew()
        continueKeeping()
    }

    /// Ends every wait and every request; for the end of the service.
    public func cancelAll() {
        for reader in readers { reader.reader?.cancel() }
        readers = []
        wanted = []
        stopCurrent()
        stopKeeping()
    }

    private func stopCurrent() {
        let stopped = current
        current = nil
        rest(stopped)
    }

    func stopKeeping() {
        let stopped = keeping
        keeping = nil
        rest(stopped)
    }

    /// Stops one; it is held until it has put down its file and its record.
    private func rest(_ fetcher: Fetcher?) {
        guard let fetcher else { return }
        fetcher.stop()
        guard fetcher.isBusy else { return }
        let key = fetcher.key
        resting[key] = fetcher
        fetcher.onRest = { [weak self, weak fetcher] in
            if let self, self.resting[key] === fetcher { self.resting[key] = nil }
        }
    }
}
