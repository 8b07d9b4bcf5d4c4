import EventLoop
import Library
import Linux

// Which files are kept, and fetching those that are to be.
extension MediaLibrary {
    /// The whole file is here.
    public func isKept(_ episode: Episode) -> Bool {
        episode.enclosures.contains { isKept(MediaKey(episode.id, enclosure: $0.number)) }
    }

    public func isKept(_ key: MediaKey) -> Bool {
        !distrusted.contains(key) && (context.folder.size(of: key.fileName) ?? 0) > 0
    }

    /// Bytes of the kept file or the part of it on the disk.
    public func storedBytes(_ key: MediaKey) -> Int64 {
        context.folder.size(of: key.fileName) ?? context.folder.size(of: key.partName) ?? 0
    }

    /// Fetches these one after another, in this order, while the current episode needs nothing. Replaces the former wish; those
    /// given up before are tried again. An empty list stops it.
    /// - Parameter reserve: bytes that have to stay free on the disk; binds these alone, never the current episode.
    public func keep(_ episodes: [(episode: EpisodeID, enclosure: Enclosure)], reserve: Int64) {
        self.reserve = reserve
        wanted = episodes.map { Wanted(key: MediaKey($0.episode, enclosure: $0.enclosure.number), enclosure: $0.enclosure) }
        if let keeping, !wanted.contains(where: { $0.key == keeping.key }) { stopKeeping() }
        continueKeeping()
    }

    func continueKeeping() {
        if let keeping, keeping.isDone {
            if !keeping.isWhole, let place = wanted.firstIndex(where: { $0.key == keeping.key }) {
                wanted[place].hasFailed = true
            }
            stopKeeping()
        }
        guard keeping == nil, current?.isDone ?? true else { return }
        let next = wanted.first { !$0.hasFailed && $0.key != current?.key && !isKept($0.key) }
        guard let next else { return }
        let fetcher = resting.removeValue(forKey: next.key) ?? makeFetcher(next.key, next.enclosure)
        guard let fetcher else { return }
        keeping = fetcher
        fetcher.reserve = reserve
        fetcher.renew(next.enclosure)
    }

    /// Removes kept files and parts that belong to none of `keys`; those being played or fetched stay, and so do strangers' files.
    public func sweep(keeping keys: Set<MediaKey>) {
        let busy = [current?.key, keeping?.key, lastOpened?.key].compactMap { $0 } + resting.keys
        let stay = Set((keys.union(busy)).flatMap { [$0.fileName, $0.partName] })
        do {
            for name in try context.folder.names() where MediaKey.isOurs(name) && !stay.contains(name) {
                try context.folder.remove(name)
                guard name.hasSuffix(MediaKey.partSuffix) else { continue }
                try context.records.delete(String(name.dropLast(MediaKey.partSuffix.count)))
            }
        } catch {
            context.log("left-over files could not be swept: \(error)")
        }
    }
}
