/// What the demo's server knows of every episode, kept in a file between runs as a real server would keep it.
struct ServedPositions {
    private static func key(_ show: DemoShow, _ episode: DemoEpisode) -> String { "\(show.id)/\(episode.guid ?? "")" }

    /// One line for each episode that was touched: show/guid, position, read, version, updated.
    static func text(of library: DemoLibrary) -> String {
        library.shows.flatMap { show in
            show.episodes.filter { $0.updated != nil }.map { episode in
                "\(key(show, episode)) \(episode.position) \(episode.isRead) \(episode.version) \(episode.updated ?? 0)\n"
            }
        }.joined()
    }

    /// Lines that are not understood, or of episodes that are gone, are passed over.
    static func apply(_ text: String, to library: inout DemoLibrary) {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 5, let position = Double(parts[1]), let read = Bool(String(parts[2])),
                let version = Int(parts[3]), let updated = Double(parts[4])
            else { continue }
            for show in library.shows.indices {
                for place in library.shows[show].episodes.indices
                where key(library.shows[show], library.shows[show].episodes[place]) == parts[0] {
                    library.shows[show].episodes[place].position = position
                    library.shows[show].episodes[place].isRead = read
                    library.shows[show].episodes[place].version = version
                    library.shows[show].episodes[place].updated = updated
                }
            }
        }
    }
}
