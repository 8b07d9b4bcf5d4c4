import DBus
import Testing

@Suite("Paths and signatures", .timeLimit(.minutes(1)))
struct GrammarTests {
    @Test(
        "valid signatures parse and print the same",
        arguments: ["", "s", "a{sv}", "a(ii)", "aaas", "(s(xd)v)", "a{oa{sa{sv}}}"])
    func valid(_ text: String) { #expect(Signature(text)?.text == text) }

    @Test(
        "what is no signature is refused",
        arguments: [
            "a", "{sv}", "a{vs}", "a{s}", "a{sss}", "()", "(s", "s)", "h", "z", String(repeating: "a", count: 40) + "s",
        ])
    func invalid(_ text: String) { #expect(Signature(text) == nil) }

    @Test("valid object paths are taken, others not")
    func paths() {
        for good in ["/", "/a", "/org/mpris/MediaPlayer2", "/_1"] { #expect(ObjectPath(good)?.text == good) }
        for bad in ["", "a", "/a/", "//", "/a//b", "/a-b", "/ä", "/a\0"] { #expect(ObjectPath(bad) == nil) }
    }

    @Test("any text becomes one element of a path, and different texts stay different")
    func escaped() {
        let base: ObjectPath = "/track"
        #expect(base.appending(escaping: "a b").text == "/track/a_20b")
        #expect(base.appending(escaping: "").text == "/track/_")
        #expect(base.appending(escaping: "_").text == "/track/_5f")
        for text in ["ü/\n", "\u{7}", "日本"] { #expect(ObjectPath(base.appending(escaping: text).text) != nil) }
        #expect(base.appending(escaping: "a_20b") != base.appending(escaping: "a b"))
    }
}
