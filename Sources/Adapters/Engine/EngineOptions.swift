/// Where the sound goes.
public enum EngineOutput: Hashable, Sendable {
    /// `server` as in `PULSE_SERVER`, nil: libpulse's own choice. `buffer`: 1…2000 ms of sound at the server.
    case pulse(server: String?, buffer: Int)
    /// For tests: decoded to a WAV file as fast as it goes.
    case wave(file: String)
    /// For tests: in real time to nowhere.
    case null
}

/// How libmpv is set up: one player of sound, to one sink, that touches nothing of its own: no network, no configuration, no
/// scripts, no file but the one it is given.
enum EngineOptions {
    static let scheme = "ipx"

    static func list(_ output: EngineOutput) -> [(String, String)] { closed + sound + bytes + driver(output) }

    /// PB-17: nobody's mpv.conf, watch-later file or script changes what the driver hears.
    private static let closed = [
        ("config", "no"), ("load-scripts", "no"), ("resume-playback", "no"), ("save-position-on-quit", "no"),
        ("terminal", "no"), ("input-default-bindings", "no"), ("input-terminal", "no"), ("idle", "yes"),
        ("access-references", "no"), ("load-unsafe-playlists", "no"), ("autoload-files", "no"), ("sub-auto", "no"),
        ("audio-file-auto", "no"), ("cover-art-auto", "no"), ("ordered-chapters", "no"), ("prefetch-playlist", "no"),
    ]

    /// Built-in scripts, which came and went with versions of mpv.
    static let scripts = [
        "osc", "ytdl", "load-stats-overlay", "load-osd-console", "load-console", "load-auto-profiles", "load-select",
        "load-positioning", "load-commands", "load-context-menu", "media-controls",
    ].map { ($0, "no") }

    private static let sound = [
        // PB-08: a cover picture is neither shown nor taken for a stream to play.
        ("vo", "null"), ("vid", "no"), ("sid", "no"), ("audio-display", "no"), ("osd-level", "0"),
        // N2: a missing sink is a fault to report, never a reason to play elsewhere.
        ("audio-fallback-to-null", "no"), ("audio-client-name", "ipx-car"), ("audio-stream-silence", "no"),
        ("gapless-audio", "weak"), ("audio-pitch-correction", "yes"), ("replaygain", "no"), ("volume", "100"),
        // PB-19: decoded up to the wished sample, so that nothing before it is heard.
        ("hr-seek", "yes"),
    ]

    /// The bytes are in our file already, or on their way there: a second store of them in memory would only cost. Without a
    /// cache mpv still says when it runs dry (`paused-for-cache`). Ten seconds read ahead instead of one wake the reading
    /// thread half as often.
    private static let bytes = [
        ("cache", "no"), ("demuxer-readahead-secs", "10"), ("demuxer-max-bytes", "4MiB"), ("demuxer-max-back-bytes", "0"),
        ("demuxer-donate-buffer", "no"), ("cache-pause", "yes"), ("cache-pause-initial", "no"),
        // Only libavformat's formats: mpv's own ones are playlists and the like.
        ("demuxer", "lavf"),
        // Without it every mp3 with a frame count is read from its beginning up to the wished place, which over a network
        // takes minutes. The place is exact for a constant rate and within a hundredth for a variable one.
        ("demuxer-lavf-o", "fflags=+fastseek"),
    ]

    private static func driver(_ output: EngineOutput) -> [(String, String)] {
        switch output {
        case .pulse(let server, let buffer):
            [("ao", "pulse"), ("pulse-buffer", "\(buffer)")] + (server.map { [("pulse-host", $0)] } ?? [])
        case .wave(let file): [("ao", "pcm"), ("ao-pcm-file", file), ("audio-format", "s16")]
        case .null: [("ao", "null")]
        }
    }
}
