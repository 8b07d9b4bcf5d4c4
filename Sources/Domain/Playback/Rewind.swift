import Library

extension PlayerState {
    /// Where to go on after a time away: a few seconds earlier, never past the chapter's start or below 0 (product.md).
    func rewound(_ position: Seconds, heard: Instant, duration: Seconds?) -> Seconds {
        let back = settings.rewind(after: now.seconds(since: heard))
        let chapter = chapters(within: duration).last { $0.start <= position }
        return max(position - back, chapter?.start ?? 0, 0)
    }
}

extension PlayerSettings {
    /// The steps are: under a minute, a minute, an hour, a day; a shorter list goes on with its last value.
    func rewind(after away: Seconds) -> Seconds {
        let step = [60, 3600, 86400].filter { away >= $0 }.count
        guard let seconds = rewind.prefix(step + 1).last, seconds.isFinite else { return 0 }
        return max(0, seconds)
    }
}
