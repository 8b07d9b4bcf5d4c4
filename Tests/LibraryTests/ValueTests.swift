import Library
import Testing

@Suite("Values as servers and feeds give them", .timeLimit(.minutes(1)))
struct ValueTests {
    @Test(
        "POS-18 durations in many shapes are read or unknown",
        arguments: [
            ("14:57 ", 897), ("2238", 2238), ("1:02:03", 3723), ("00:00:01", 1), ("0:30", 30), (" 12.5", 12.5),
            ("90:00", 5400),
            ("-5", nil), ("abc", nil), ("47815094", nil), ("", nil), ("0", nil), ("1:2:3:4", nil), ("1:75", nil),
            ("nan", nil),
            ("0x10", nil), ("1e3", nil), (":", nil), ("1..2", nil), ("inf", nil), ("٣", nil),
        ] as [(String, Double?)])
    func durations(text: String, seconds: Double?) { #expect(DurationText.seconds(text) == seconds) }

    @Test(
        "POS-17 positions that can't be are unknown; past the end is the end",
        arguments: [
            (3600, 754.3, 754.3), (3600, -1, nil), (3600, 4000, 3600), (3600, .nan, nil), (3600, .infinity, nil),
            (nil, 754.3, 754.3), (nil, 1e9, nil), (-5, 10, 10), (47_815_094, 10, 10),
        ] as [(Double?, Double, Double?)])
    func positions(duration: Double?, position: Double, expected: Double?) {
        #expect(remote(at: position, updated: nil, duration: duration).sanitized.position == expected)
    }

    @Test("POS-17 a shorter file with the same position: clamped, never 0 or finished")
    func shorter() {
        let shorter = remote(at: 3590, updated: 1, isRead: false, duration: 3540).sanitized
        #expect(shorter.position == 3540 && !shorter.isRead)
    }

    @Test("the queue: the current show first, oldest first, then the others by date; read ones and the current are left out")
    func queue() {
        func entry(_ name: String, _ feed: String, _ published: Double?, isRead: Bool = false) -> Episode {
            Episode(id: id(name, feed: feed), title: name, feedTitle: feed, published: published.map(wall), isRead: isRead)
        }
        let current = entry("now", "f1", 5)
        let entries = [
            entry("x", "f2", 1), entry("b", "f1", 9), current, entry("a", "f1", 2), entry("read", "f1", 3, isRead: true),
            entry("none", "f2", nil), entry("y", "f3", 4), entry("z", "f2", 4),
        ]
        func names(_ order: EpisodeQueue.Order, _ playable: Set<String>? = nil, _ current: Episode? = current) -> [String] {
            EpisodeQueue.ordered(entries, current: current, order: order) { playable?.contains($0.guid) ?? true }
                .map(\.id.guid)
        }
        #expect(names(.feed) == ["a", "b", "x", "y", "z", "none"])
        #expect(names(.oldest) == ["x", "a", "y", "z", "b", "none"])
        #expect(names(.newest) == ["b", "y", "z", "a", "x", "none"])
        #expect(names(.feed, ["z", "b"]) == ["b", "z"])
        #expect(names(.feed, nil, nil) == ["x", "a", "y", "z", "now", "b", "none"])
    }
}
