/// A made-up show: how it sounds, and the sentences from which its episodes are put together.
struct SpokenShow: Sendable {
    struct Episode: Sendable {
        var title: String
        /// What `{thing}`, `{place}` and `{friend}` are in this one.
        var thing: String
        var place: String
        var friend: String
    }

    struct Chapter: Sendable {
        var title: String
        var sentences: [String]
    }

    var id: String
    var title: String
    /// espeak-ng's voice, pitch (0–99) and speed (words a minute).
    var voice: String
    var pitch: Int
    var speed: Int
    /// Of the artwork and the display.
    var color: (red: UInt8, green: UInt8, blue: UInt8)
    /// Notes of the jingle between chapters, Hz.
    var jingle: [Double]
    var episodes: [Episode]
    var chapters: [Chapter]

    /// The words of one chapter of one episode: its sentences in an order of their own, the same on every machine.
    func text(of chapter: Int, in number: Int) -> String {
        let episode = episodes[number]
        let all = chapters[chapter].sentences
        // Turned by a step that has no common divisor with the count: every sentence once, each episode in another order.
        let step = [1, 3, 5, 7][number % 4] % max(1, all.count) | 1
        let order = all.indices.map { all[($0 * step + number) % all.count] }
        let words = Set(order).count == all.count ? order : all
        return ([chapters[chapter].title + "."] + words).joined(separator: " ")
            .replacing("{thing}", with: episode.thing)
            .replacing("{place}", with: episode.place)
            .replacing("{friend}", with: episode.friend)
    }
}

extension String {
    fileprivate func replacing(_ mark: String, with text: String) -> String {
        var rest = self[...]
        var result = ""
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            if rest.hasPrefix(mark) {
                result += text
                rest = rest.dropFirst(mark.count)
            } else {
                result += "{"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }
}
