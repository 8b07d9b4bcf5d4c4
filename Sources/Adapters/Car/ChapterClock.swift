import Library
import Playback

/// Which chapter is being heard, and when the next begins. One chapter, or degenerate ones, count as none (PB-20).
struct ChapterClock: Hashable {
    private let chapters: [Chapter]

    init(_ episode: Episode?, duration: Seconds?) {
        var sound: [Chapter] = []
        for chapter in (episode?.chapters ?? []).sorted(by: { $0.start < $1.start })
        where chapter.start.isFinite && chapter.start >= 0 && chapter.start < duration ?? .infinity {
            // Less than a second long: none.
            if let last = sound.last, chapter.start < last.start + 1 { continue }
            sound.append(chapter)
        }
        chapters = sound.count > 1 ? sound : []
    }

    func title(at position: Seconds) -> String? { chapters.last { $0.start <= position }?.title }

    func nextStart(after position: Seconds) -> Seconds? { chapters.first { $0.start > position }?.start }
}
