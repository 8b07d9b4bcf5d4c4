/// How libmpv is set up: one player of sound, to one sink, that touches nothing of its own: no network, no configuration, no
/// scripts, no file but the one it is given.
enum EngineOptions {
    static let scheme = "ipx"

    /// `output`: an audio driver of mpv; `pulse` but for tests.
    static func list(output: String) -> [(String, String)] {
        quiet + sound(output) + bytes
    }

    private static let quiet = [
        // PB-17: nobody's mpv.conf, watch-later file or script changes what the driver hears.
        ("config", "no"), ("load-scripts", "no"), ("osc", "no"), ("ytdl", "no"), ("input-default-bindings", "no"),
        ("load-stats-overlay", "no"), ("load-osd-console", "no"), ("load-auto-profiles", "no"), ("osd-level", "0"),
        ("resume-playback", "no"), ("save-position-on-quit", "no"), ("terminal", "no"), ("input-terminal", "no"),
        ("idle", "yes"), ("force-window", "no"), ("access-references", "no"), ("load-unsafe-playlists", "no"),
        ("sub-auto", "no"), ("audio-file-auto", "no"), ("autoload-files", "no"), ("ordered-chapters", "no"),
    ]

    private static func sound(_ output: String) -> [(String, String)] {
        [
            // PB-08: a cover picture is neither shown nor taken for a stream to play.
            ("vo", "null"), ("vid", "no"), ("sid", "no"), ("audio-display", "no"),
            ("ao", output), ("pulse-buffer", "500"), ("audio-client-name", "ipx-car"),
            // N2: a missing sink is a fault to report, never a reason to play elsewhere.
            ("audio-fallback-to-null", "no"),
            ("gapless-audio", "weak"), ("audio-pitch-correction", "yes"), ("replaygain", "no"), ("volume", "100"),
            // PB-19: exact, so that nothing before the wished place is heard.
            ("hr-seek", "yes"),
        ]
    }

    private static let bytes = [
        // Only a cached demuxer says when it runs dry (paused-for-cache); a mebibyte is a minute of sound.
        ("cache", "yes"), ("demuxer-max-bytes", "1MiB"), ("demuxer-max-back-bytes", "256KiB"),
        ("demuxer-donate-buffer", "no"), ("cache-pause-initial", "no"), ("cache-pause-wait", "0.3"),
        ("stream-buffer-size", "64KiB"), ("demuxer-lavf-probe-info", "auto"), ("prefetch-playlist", "no"),
    ]
}
