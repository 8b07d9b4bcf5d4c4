import Car
import DBus
import Library
import Playback

/// The `Metadata` of MPRIS (MPRIS 2.2, "Metadata"; xesam ontology for the rest). Unknown is left out.
struct MPRISTrack: Hashable {
    var id: ObjectPath
    var text: DashText
    var length: Int64?
    var artwork: String?
    var published: String?

    /// A path of its own for every episode; two episodes never share one.
    static func id(_ episode: EpisodeID) -> ObjectPath {
        let base: ObjectPath = "/net/sdf1/ipxcar/track"
        return base.appending(escaping: episode.server).appending(escaping: episode.feed).appending(escaping: episode.guid)
    }

    init(_ episode: Episode, duration: Seconds?, artwork: String?) {
        id = Self.id(episode.id)
        // In full: a program cuts as it likes.
        text = DashText(episode, limit: nil)
        length = duration.flatMap { $0.isFinite && $0 > 0 ? Self.microseconds($0) : nil }
        self.artwork = artwork
        published = episode.published.map(DashText.date)
    }

    /// Microseconds, never negative; absurd ones are clamped.
    static func microseconds(_ seconds: Seconds) -> Int64 {
        Int64((min(max(seconds.isFinite ? seconds : 0, 0), 1e9) * 1e6).rounded())
    }

    var metadata: Value {
        var entries: [(String, Value)] = [
            ("mpris:trackid", .objectPath(id)),
            ("xesam:title", .string(text.title)),
            ("xesam:artist", .strings([text.artist])),
            ("xesam:album", .string(text.album)),
            ("xesam:genre", .strings(["Podcast"])),
        ]
        if let length { entries.append(("mpris:length", .int64(length))) }
        if let artwork, let url = DashString.fit(artwork, limit: nil) { entries.append(("mpris:artUrl", .string(url))) }
        if let published { entries.append(("xesam:contentCreated", .string(published + "T00:00:00Z"))) }
        return .properties(entries)
    }
}
