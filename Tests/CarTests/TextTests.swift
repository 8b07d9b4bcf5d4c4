import Car
import Library
import Testing

@Suite("Text for the dash", .timeLimit(.minutes(1)))
struct TextTests {
    @Test("AV-12 a title of 4000 characters is cut to 250 bytes between two characters")
    func longTitle() {
        for character in ["a", "ü", "界", "👨‍👩‍👧‍👦", "e\u{301}"] {
            let text = DashText(.made(String(repeating: character, count: 4000)))
            #expect(text.title.utf8.count <= 250 && text.title.utf8.count > 250 - character.utf8.count)
            #expect(text.title.allSatisfy { String($0) == character })
        }
    }

    @Test("one character of a thousand marks is cut too")
    func marks() {
        let text = DashText(.made("e" + String(repeating: "\u{301}", count: 1000)))
        #expect(text.title.utf8.count <= 250 && text.title.utf8.count > 240)
    }

    @Test(
        "AV-13 blank or missing texts fall back, none is ever empty",
        arguments: ["", "   ", "\n\t", "\u{0}\u{7}", "\u{200E}\u{FEFF}"])
    func blank(_ blank: String) {
        let noTitle = DashText(.made(blank))
        #expect(noTitle == DashText(title: "The Show · 2024-05-03", artist: "The Show", album: "The Show · 2024-05-03"))
        let nothing = DashText(.made(blank, show: blank, published: nil))
        #expect(nothing == DashText(title: "Episode", artist: "Podcast", album: "Podcast"))
        for layout in [DashText.Layout.episode, .show, .chapter] {
            let text = DashText(.made(blank, show: blank, published: nil), chapter: blank, layout: layout)
            #expect(!text.title.isEmpty && !text.artist.isEmpty && !text.album.isEmpty)
        }
    }

    @Test("control characters, line breaks and NUL become single spaces; direction marks vanish")
    func control() {
        #expect(DashString.fit(" a\0b\r\n\tc\u{85}\u{2028}d\u{202E}e ") == "a b c de")
    }

    @Test("the layouts of the configuration")
    func layouts() {
        let episode = Episode.made("One")
        #expect(
            DashText(episode, layout: .episode) == DashText(title: "One", artist: "The Show", album: "The Show · 2024-05-03")
        )
        #expect(DashText(episode, layout: .show) == DashText(title: "The Show", artist: "One", album: "2024-05-03"))
        #expect(
            DashText(episode, chapter: "Intro", layout: .chapter)
                == DashText(title: "Intro", artist: "One", album: "The Show"))
        #expect(DashText(episode, layout: .chapter).title == "One")
    }

    @Test("plain ASCII for displays that choke, and no per cent sign")
    func ascii() {
        func ascii(_ text: String) -> String? { DashString.fit(text, alphabet: .ascii) }
        #expect(ascii("Grüße – “100%” café… Łódź Ærø") == "Grusse - \"100 percent\" cafe... Lodz AEro")
        #expect(ascii("日本 Talk") == "?? Talk")
        #expect(ascii("日本") == nil)
        #expect(DashText(.made("日本", show: "Le Café"), alphabet: .ascii).title == "Le Cafe - 2024-05-03")
        #expect(ascii("e\u{301}t\u{e9}") == "ete")
    }

    @Test(
        "dates are right around leap days and the epoch",
        arguments: [
            (0, "1970-01-01"), (-1, "1970-01-01"), (951_782_400_000, "2000-02-29"), (1_709_164_800_000, "2024-02-29"),
            (1_709_251_199_999, "2024-02-29"), (4_107_542_399_999, "2100-02-28"), (4_107_542_400_000, "2100-03-01"),
        ])
    func dates(milliseconds: Int64, date: String) {
        let text = DashText(.made("x", published: WallTime(milliseconds: milliseconds)), layout: .show)
        #expect(text.album == date)
    }
}
