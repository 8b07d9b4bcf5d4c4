import Library
import Linux

/// The three lines a car shows. Never blank, never another episode's.
public struct DashText: Hashable, Sendable {
    /// `layout=` of the configuration, as title/artist/album.
    public enum Layout: String, Hashable, Sendable {
        /// title / show / show · date
        case episode
        /// show / title / date
        case show
        /// chapter or title / title / show
        case chapter
    }

    public var title: String
    public var artist: String
    public var album: String

    public init(title: String, artist: String, album: String) {
        self.title = title
        self.artist = artist
        self.album = album
    }

    /// When there is no episode at all.
    public static let idle = DashText(title: "No episode", artist: "ipx-car", album: "ipx-car")

    /// `chapter`: the title of the chapter being heard, for the layout that shows it. `limit`: bytes for each line.
    public init(
        _ episode: Episode, chapter: String? = nil, layout: Layout = .episode, alphabet: DashString.Alphabet = .utf8,
        limit: Int? = DashString.limit
    ) {
        func fit(_ parts: String?...) -> String? {
            let parts = parts.compactMap { $0 }.filter { DashString.fit($0, alphabet: alphabet, limit: nil) != nil }
            return DashString.fit(parts.joined(separator: " · "), alphabet: alphabet, limit: limit)
        }
        let date = episode.published.map(Self.date)
        // AV-13: a title falls back to show and date, the show to what it is.
        let show = fit(episode.feedTitle) ?? "Podcast"
        let title = fit(episode.title) ?? fit(episode.feedTitle, date) ?? "Episode"
        switch layout {
        case .episode: self.init(title: title, artist: show, album: fit(show, date) ?? show)
        case .show: self.init(title: show, artist: title, album: fit(date) ?? show)
        case .chapter: self.init(title: fit(chapter) ?? title, artist: title, album: show)
        }
    }

    /// The day in UTC, as the box knows no time zone; ISO 8601, `2024-05-03`: read the same everywhere.
    public static func date(_ time: WallTime) -> String {
        let date = CalendarTime(milliseconds: time.milliseconds)
        return "\(date.year)-\(two(date.month))-\(two(date.day))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
