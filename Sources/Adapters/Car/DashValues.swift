import DBus

// How the dash's values go over the bus. BlueZ takes the entries in order and stops at the first of a wrong type (AV-01,
// AV-02), so types and order are fixed here and nowhere else.
extension Track {
    var metadata: Value {
        var entries: [(String, Value)] = [
            ("xesam:title", .string(text.title)),
            ("xesam:artist", .strings([text.artist])),
            ("xesam:album", .string(text.album)),
            ("xesam:genre", .strings(["Podcast"])),
            ("xesam:trackNumber", .int32(number)),
        ]
        if let length { entries.append(("mpris:length", .int64(length))) }
        return .properties(entries)
    }
}

extension Dash.State {
    /// Flags first: BlueZ hands a press to the player only while its flag is known to be true (AV-15). `CanSeek` is left out,
    /// so that fast-forward and rewind stay keys that can be held. Metadata before Position: it resets it.
    var properties: [(String, Value)] {
        [("PlaybackStatus", .string(status.rawValue))] + DashPlayer.flags.map { ($0, .boolean(true)) } + [
            ("Identity", .string(DashPlayer.identity)),
            ("Metadata", track.metadata),
            ("Position", .int64(microseconds(position))),
        ]
    }
}
