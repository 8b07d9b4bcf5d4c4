import Library

extension PlayerState {
    /// The chapters of the current episode that mean something: in order, a second long at least, inside the file, and
    /// more than one (PB-20).
    func chapters(within duration: Seconds?) -> [Chapter] {
        let inside = (current?.episode.chapters ?? [])
            .filter { $0.start.isFinite && $0.start >= 0 && $0.start < duration ?? .infinity }
            .sorted { $0.start < $1.start }
        var chapters: [Chapter] = []
        for chapter in inside where chapter.start >= (chapters.last?.start ?? -1) + 1 { chapters.append(chapter) }
        return chapters.count > 1 ? chapters : []
    }

    /// Where the next or previous chapter begins; nil: there is none, `ends` past the last one.
    func chapterStart(_ direction: Direction, from place: Seconds) -> ChapterStep {
        let starts = chapters(within: phase.loaded?.duration ?? phase.place?.duration).map(\.start)
        guard !starts.isEmpty else { return .noChapters }
        switch direction {
        case .forward: return starts.first { $0 > place }.map(ChapterStep.start) ?? .end
        // Within the first seconds of a chapter Previous means the one before.
        case .back: return .start(starts.last { $0 < place - 3 } ?? 0)
        }
    }
}

enum Direction: Hashable, Sendable { case forward, back }

enum ChapterStep: Hashable, Sendable {
    case noChapters
    case start(Seconds)
    case end
}
