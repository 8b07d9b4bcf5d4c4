import Testing

@testable import INIFile

@Suite("A configuration file as libinih reads it through our lines", .timeLimit(.minutes(1)))
struct INIFileTests {
    private func file(_ text: String) -> INIFile { INIFile(bytes: Array(text.utf8)) }

    @Test("keys come with section and line, spaces around them do not count")
    func plain() {
        let file = file(
            """
            # made by hand
            [player]
            rate = 1.3
              skip-back=15   ; a remark

            [car "AA:BB:CC:DD:EE:FF"]
            \tvolume\t=\t40\r
            """)
        #expect(
            file.entries == [
                .init(section: "player", key: "rate", value: "1.3", line: 3),
                .init(section: "player", key: "skip-back", value: "15", line: 4),
                .init(section: "car \"AA:BB:CC:DD:EE:FF\"", key: "volume", value: "40", line: 7),
            ])
        #expect(file.headings.map(\.line) == [2, 6])
        #expect(file.complaints.isEmpty)
    }

    @Test("an indented line is a key of its own, never the former one's second half")
    func indented() {
        let file = file("[server]\naddress=a\n    proxy=b\n   [log]\n  level=debug")
        #expect(file.entries.map(\.value) == ["a", "b", "debug"])
        #expect(file.entries.map(\.section) == ["server", "server", "log"])
        #expect(file.headings.map(\.section) == ["server", "log"])
    }

    @Test("a line of 190 bytes is whole, one of 191 is refused by its number and never cut")
    func longLines() {
        let name = "address="
        let fits = name + String(repeating: "x", count: 190 - name.utf8.count)
        let file = file("[server]\n\(fits)\n\(fits)y\nproxy=z")
        #expect(file.entries.map(\.value.utf8.count) == [182, 1])
        #expect(file.entries.map(\.line) == [2, 4])
        #expect(file.complaints == [.init(line: 3, text: "longer than 190 bytes")])
    }

    @Test("every line that is no entry is named, not only the first")
    func badLines() {
        let file = file("[player]\nrate\n=\n[keep\nplay now\nepisodes=3\nlast one\n[k ;p]")
        #expect(file.complaints.map(\.line) == [2, 4, 5, 7, 8])
        #expect(file.entries.map(\.key) == ["", "episodes"])
    }

    @Test("bytes that are no text are refused line by line, the rest is read")
    func odd() {
        let bytes = Array("[a]\nx=1\ny=".utf8) + [0xFF, 0x0A] + Array("z=3\nw=".utf8) + [0, 0x0A] + Array("v=5".utf8)
        let file = INIFile(bytes: bytes)
        #expect(file.entries.map(\.value) == ["1", "3", "5"])
        #expect(file.complaints == [.init(line: 3, text: "not UTF-8"), .init(line: 5, text: "holds a NUL byte")])
    }

    @Test("a byte order mark, an empty value, a second equals sign, a key before any section")
    func corners() {
        let file = file("\u{FEFF}early=1\n[buttons]\nkey KEY_PLAY=press:play,hold:pair\nproxy=\naddress=https://a/?b=c")
        #expect(file.entries.map(\.key) == ["early", "key KEY_PLAY", "proxy", "address"])
        #expect(file.entries.map(\.value) == ["1", "press:play,hold:pair", "", "https://a/?b=c"])
        #expect(file.entries.first?.section == "" && file.complaints.isEmpty)
    }

    @Test("no bytes are no entries; ten thousand lines keep their numbers")
    func sizes() {
        #expect(file("").entries.isEmpty)
        let many = file("[a]\n" + (2...10_000).map { "k\($0)=\($0)\n" }.joined())
        #expect(many.entries.count == 9_999 && many.entries.allSatisfy { $0.value == "\($0.line)" })
    }

    @Test("whatever the bytes, it ends and every line number lies in the file")
    func garbage() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let alphabet = Array("[]=;# \t\nab\"".utf8) + [0, 0xC3, 0xFF, 0x0D]
            let bytes = (0..<Int.random(in: 0...400, using: &random)).map { _ in alphabet.randomElement() ?? 0 }
            let file = INIFile(bytes: bytes)
            let lines = 1 + bytes.count { $0 == 0x0A }
            #expect(file.entries.allSatisfy { (1...lines).contains($0.line) }, "\(bytes)")
            #expect(file.complaints.allSatisfy { (1...lines).contains($0.line) }, "\(bytes)")
        }
    }
}
