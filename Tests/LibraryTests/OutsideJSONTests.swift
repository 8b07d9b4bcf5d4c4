import Library
import Testing

@Suite("JSON that others wrote", .timeLimit(.minutes(1)))
struct OutsideJSONTests {
    private struct Show: Decodable, Equatable {
        var title: String
    }

    private func title(_ text: String) throws -> String { try OutsideJSON.decoded(Show.self, from: Array(text.utf8)).title }

    @Test(
        "a name with a broken escape is an error, never the end of the process",
        arguments: [
            #"\o"#, #"\u12"#, #"\u12g4"#, #"\ud800"#, #"\ud800\n"#, #"\ud800\u0041"#, #"\udc00"#, "a\u{1}b", #"\"#,
        ])
    func names(_ name: String) {
        #expect(throws: (any Error).self) { try title(#"{"\#(name)":1,"title":"x"}"#) }
        #expect(throws: (any Error).self) { try title(#"{"title":"x","deep":[{"\#(name)" : 1}]}"#) }
    }

    @Test(
        "bytes that are no UTF-8 are an error, in a name and in a value", arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80]])
    func bytes(_ bad: [UInt8]) {
        let name = Array(#"{"title":"x",""#.utf8) + bad + Array(#"":1}"#.utf8)
        let value = Array(#"{"title":""#.utf8) + bad + Array(#""}"#.utf8)
        #expect(throws: OutsideJSON.Broken.self) { try OutsideJSON.decoded(Show.self, from: name) }
        #expect(throws: OutsideJSON.Broken.self) { try OutsideJSON.decoded(Show.self, from: value) }
    }

    @Test("lawful names are read: every escape, a pair of surrogates, what looks like a name in a value")
    func lawful() throws {
        #expect(
            try title(#"{"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude97":1,"t\u0069tle" : "R\u00e9sum\u00e9: \"x\":1"}"#)
                == #"Résumé: "x":1"#)
    }

    @Test("a broken value that nobody asks for does no harm; one that is asked for is an error")
    func values() throws {
        #expect(try title(#"{"mood":"\ud800","title":"x"}"#) == "x")
        #expect(throws: (any Error).self) { try title(#"{"title":"\ud800"}"#) }
        #expect(throws: (any Error).self) { try title(#"{"title":"x"#) }
    }
}
