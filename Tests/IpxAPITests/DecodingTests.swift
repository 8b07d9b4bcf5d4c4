import FoundationEssentials
import HTTPClient
import Library
import Testing

@testable import IpxAPI

@Suite("What the server says is read as far as it makes sense", .timeLimit(.minutes(1)))
struct DecodingTests {
    private func entry(_ json: String) throws -> WireEntry {
        try JSONDecoder().decode(WireEntry.self, from: Data(json.utf8))
    }

    private func episode(_ json: String) throws -> Episode { try #require(try entry(json).episode(server: "s", feed: "f")) }

    @Test(
        "POS-18 a duration in any shape is read or unknown",
        arguments: [
            ("3600.5", 3600.5), ("\"14:57 \"", 897), ("\"2238\"", 2238), ("\"1:02:03\"", 3723), ("\"00:00:01\"", 1),
            ("\" 62.5\"", 62.5), ("\"75:30\"", 4530), ("\"1:02:03.5\"", 3723.5), ("\"1e3\"", 1000),
            ("\"99:59:59\"", 359_999), ("\"168:00:00\"", 604_800), ("\"168:00:01\"", nil),
            ("-5", nil), ("\"-5\"", nil), ("\"abc\"", nil), ("47815094", nil), ("\"47815094\"", nil), ("0", nil),
            ("\"\"", nil),
            ("null", nil), ("true", nil), ("[]", nil), ("{}", nil), ("\"nan\"", nil), ("\"inf\"", nil), ("\"0x10\"", nil),
            ("\"1:2:3:4\"", nil), ("\":\"", nil), ("\"1:\"", nil), ("\"1:60\"", nil), ("\"-1:30\"", nil), ("\"1:-30\"", nil),
            ("\"9999999999:00\"", nil), ("1e300", nil), ("\"1e999\"", nil), ("\"   \"", nil),
        ] as [(String, Double?)])
    func durations(_ json: String, _ seconds: Double?) throws {
        #expect(try episode("{\"duration\":\(json)}").duration == seconds)
    }

    @Test(
        "a position outside the episode is clamped or unknown",
        arguments: [
            ("754.3", "3600", 754.3), ("0", "3600", 0), ("3600", "3600", 3600), ("4000", "3600", 3600), ("-1", "3600", nil),
            ("\"10:00\"", "3600", 600), ("\"x\"", "3600", nil), ("1e9", "null", nil), ("500", "null", 500),
            ("500", "-5", 500), ("\"0:00\"", "3600", 0),
            ("null", "3600", nil), ("1e300", "3600", nil),
        ] as [(String, String, Double?)])
    func positions(_ position: String, _ duration: String, _ seconds: Double?) throws {
        #expect(try episode("{\"position\":\(position),\"duration\":\(duration)}").position == seconds)
    }

    @Test(
        "flags and versions in the shapes they come in",
        arguments: [
            ("true", "7", true, 7), ("1", "\"7\"", true, 7), ("\"TRUE\"", "7.0", true, 7), ("false", "7.5", false, nil),
            ("0", "\"x\"", false, nil), ("\"yes\"", "1e300", false, nil), ("null", "null", false, nil),
            ("[]", "-1", false, -1),
        ] as [(String, String, Bool, Int?)])
    func flags(_ read: String, _ version: String, _ isRead: Bool, _ number: Int?) throws {
        let entry = try entry("{\"read\":\(read),\"version\":\(version)}")
        #expect(entry.isRead == isRead && entry.version == number)
    }

    @Test("an entry with nothing in it is still one; what isn't an object is none")
    func emptyEntry() throws {
        let entry = try entry("{}")
        #expect(entry.episode(server: "s") == nil)
        let episode = try #require(entry.episode(server: "s", feed: "f"))
        #expect(episode.id.isLocal && episode.title.isEmpty && episode.enclosures.isEmpty && episode.position == nil)
        for text in ["7", "\"x\"", "[]", "null", "true"] {
            #expect(throws: (any Error).self) { try self.entry(text) }
        }
    }

    @Test("unknown fields are ignored, odd chapters and enclosures left out, missing numbers counted")
    func oddParts() throws {
        let json = """
            {"feedId":5,"guid":9007199254740993,"new":{"a":[1]},"title":12,"artwork":"","published":1700000000,
            "chapters":[{"start":"1:00","title":"A"},{"title":"no start"},{"start":-1,"title":"B"},{"start":90},7],
            "enclosures":[{"url":"/media/a.mp3"},{"type":"audio/mpeg"},{"url":"/media/b.mp3","enc":"4","length":"12"},
            {"url":"/media/c.mp3","length":-1},null]}
            """
        let episode = try #require(try entry(json).episode(server: "s"))
        #expect(episode.id == EpisodeID(server: "s", feed: "5", guid: "9007199254740993"))
        #expect(episode.title == "12" && episode.artwork == nil && episode.published == nil)
        #expect(episode.chapters == [Chapter(start: 60, title: "A"), Chapter(start: 90, title: "")])
        #expect(
            episode.enclosures == [
                Enclosure(number: 0, url: "/media/a.mp3"), Enclosure(number: 4, url: "/media/b.mp3", length: 12),
                Enclosure(number: 2, url: "/media/c.mp3"),
            ])
        #expect(try entry(#"{"chapters":7,"enclosures":"x"}"#).chapters.isEmpty)
    }

    @Test("entries without guid are told apart by file, date and title, not by a signature that changes")
    func localKeys() throws {
        func id(_ url: String, _ title: String = "T", _ date: String = "2026-01-01T00:00:00Z") throws -> EpisodeID? {
            let json = #"{"feedId":"f","title":"\#(title)","published":"\#(date)","enclosures":[{"url":"\#(url)"}]}"#
            return try entry(json).episode(server: "s")?.id
        }
        #expect(try id("/media/a.mp3?sig=1") == id("/media/a.mp3?sig=2"))
        #expect(try id("/media/a.mp3") != id("/media/b.mp3"))
        #expect(try id("/media/a.mp3", "T") != id("/media/a.mp3", "U"))
        #expect(try id("/media/a.mp3", "T") != id("/media/a.mp3", "T", "2026-01-02T00:00:00Z"))
        #expect(try entry(#"{"feedId":"f","guid":""}"#).episode(server: "s")?.id.isLocal == true)
    }

    @Test(
        "the listener's settings are taken as far as the player can follow",
        arguments: [
            (#"{"rate":1.3,"skipForward":30,"skipBack":"15"}"#, 1.3, 30, 15),
            (#"{"rate":9,"skipForward":0,"skipBack":-4}"#, nil, nil, nil),
            ("7", nil, nil, nil), ("null", nil, nil, nil),
        ] as [(String, Double?, Double?, Double?)])
    func settings(_ json: String, _ rate: Double?, _ forward: Double?, _ back: Double?) throws {
        let text = "{\"id\":7,\"unread\":-1,\"settings\":\(json)}"
        let user = try JSONDecoder().decode(ServerUser.self, from: Data(text.utf8))
        #expect(user.identity == "7" && user.unread == nil && user.name == nil)
        #expect(user.rate == rate && user.skipForward == forward && user.skipBack == back)
    }

    @Test("a listener without any identity is none")
    func noIdentity() {
        for text in ["{}", #"{"id":"","server":null}"#, "[]"] {
            #expect(throws: (any Error).self) { try JSONDecoder().decode(ServerUser.self, from: Data(text.utf8)) }
        }
    }

    @Test(
        "ISO 8601 as servers write it",
        arguments: [
            ("2026-11-30T02:00:00Z", 1_796_004_000_000), ("2026-11-30T02:00:00.5Z", 1_796_004_000_500),
            ("2026-11-30T02:00:00.123456789Z", 1_796_004_000_123), ("2026-11-30T04:00:00+02:00", 1_796_004_000_000),
            ("2026-11-29T21:30:00-0430", 1_796_004_000_000), ("2026-11-30T04:00:00+02", 1_796_004_000_000),
            ("2026-11-30 02:00:00", 1_796_004_000_000), ("2026-11-30t02:00z", 1_796_004_000_000),
            ("2026-11-30", 1_795_996_800_000),
            ("1970-01-01T00:00:00Z", 0), ("2024-02-29T00:00:00Z", 1_709_164_800_000),
            ("2000-02-29T12:00:00Z ", 951_825_600_000),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
            ("2023-02-29T00:00:00Z", nil), ("2026-13-01T00:00:00Z", nil), ("2026-00-01T00:00:00Z", nil), ("2026-01-32", nil),
            ("2100-02-29", nil), ("2026-11-30T24:00:00Z", nil), ("2026-11-30T02:60:00Z", nil), ("2026-11-30T02:00:61Z", nil),
            ("2026-11-30T02:00:00.Z", nil), ("2026-11-30T02:00:00Zx", nil), ("2026-11-30T02:00:00+25:00", nil),
            ("2026-11-30T02:00:00+02:", nil), ("2026-11-30T02", nil), ("2026-11-30X02:00:00Z", nil),
            ("1969-12-31T23:59:59Z", nil),
            ("1970-01-01T00:00:00+01:00", nil), ("0000-01-01T00:00:00Z", nil), ("2026-1-3", nil), ("", nil), ("now", nil),
            ("２０２６-11-30", nil), ("2026-11-30T02:00:00PM", nil),
        ] as [(String, Int64?)])
    func isoDates(_ text: String, _ milliseconds: Int64?) {
        #expect(ISODate.parse(text)?.milliseconds == milliseconds)
    }

    @Test("a moment written and read again is the same moment, over leap days and centuries")
    func isoRoundTrip() {
        var moment: Int64 = 0
        while moment < 253_402_300_800_000 {
            let wall = WallTime(milliseconds: moment)
            #expect(ISODate.parse(ISODate.text(wall)) == wall)
            // A prime step of some 11 days: every month, every length of year.
            moment += 999_999_937
            if moment > 7_000_000_000_000 { moment += 31_556_952_001 }
        }
        #expect(ISODate.text(.example) == "2026-11-30T02:00:00.000Z")
    }

    @Test(
        "the Date header in its three forms",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777_000),
            ("Sun Nov  6 08:49:37 1994", 784_111_777_000), ("Mon, 30 Nov 2026 02:00:00 GMT", 1_796_004_000_000),
            ("Monday, 30-Nov-26 02:00:00 GMT", 1_796_004_000_000),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
            ("Sun, 31 Feb 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49 GMT", nil), ("Sun, 06 Nov 1994 xx:49:37 GMT", nil), ("", nil), ("0", nil),
        ] as [(String, Int64?)])
    func httpDates(_ text: String, _ milliseconds: Int64?) {
        #expect(HTTPDate.parse(text)?.milliseconds == milliseconds)
    }

    @Test("a page with a password field over https is the server's own sign-in; over http it may be anyone's")
    func signInPage() {
        let form = Array(#"<html><form><input type="password"></form></html>"#.utf8)
        func kind(_ url: String, _ body: [UInt8]) -> CallFailure.Kind {
            Judgement.page(
                HTTPResponse(head: HTTPHead(status: 200, headers: HTTPHeaders(), finalURL: url), body: body), body
            ).kind
        }
        #expect(kind("https://ipx.example.org/login", form) == .signIn)
        #expect(kind("http://192.168.1.5/login", form) == .notAnAnswer)
        #expect(kind("https://ipx.example.org/", Array("<html>hello</html>".utf8)) == .notAnAnswer)
    }

    @Test("a byte order mark before the JSON is no reason to refuse it")
    func byteOrderMark() throws {
        let head = HTTPHead(status: 200, headers: HTTPHeaders(), finalURL: "http://127.0.0.1/")
        let response = HTTPResponse(head: head, body: [0xEF, 0xBB, 0xBF] + Array(#"{"id":"u"}"#.utf8))
        #expect(try Judgement.decoded(ServerUser.self, response).identity == "u")
    }

    @Test(
        "every cause is told in the domain's terms",
        arguments: [
            (HTTPError.dns("x"), CallFailure.Kind.offline, Failure.offline), (.timeout, .offline, .offline),
            (.cutShort("x"), .offline, .offline), (.tls(.certificateDate, "x"), .waitingForTime, .offline),
            (.tls(.untrusted, "x"), .offline, .offline), (.redirectLoop, .notAnAnswer, .offline),
            (.refusedRedirect(.insecure), .notAnAnswer, .offline), (.badURL, .badAddress, .notFound),
            (.cancelled, .internal, .internal), (.malformed("x"), .notAnAnswer, .offline),
            (.bodyTooLarge(limit: 1), .notAnAnswer, .offline),
        ])
    func causes(_ error: HTTPError, _ kind: CallFailure.Kind, _ failure: Failure) {
        #expect(CallFailure(error).kind == kind && CallFailure(error).failure == failure)
    }

    @Test(
        "a picture is known by its bytes",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 1], ImageKind.png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), (Array("GIF89a".utf8), .gif),
            (Array("RIFF....WEBPVP8".utf8), .webp), (Array("<html>".utf8), nil), ([], nil),
            (Array("RIFF....WAVE".utf8), nil),
        ] as [([UInt8], ImageKind?)])
    func pictures(_ bytes: [UInt8], _ kind: ImageKind?) {
        #expect(ImageKind(bytes) == kind)
    }

    @Test("a moment outside the calendar is written as its nearest end")
    func endsOfTime() {
        #expect(ISODate.text(WallTime(milliseconds: .max)) == "9999-12-31T23:59:59.999Z")
        #expect(ISODate.text(WallTime(milliseconds: .min)) == "1970-01-01T00:00:00.000Z")
    }

    @Test("whatever bytes come, they are read or refused; what is read keeps to its ranges", arguments: 0..<8)
    func mangled(_ seed: UInt64) throws {
        let whole = """
            {"entries":[{"feedId":"f1","guid":"g","title":"T \\u00e9","feedTitle":"S","published":"2026-11-30T02:00:00.5+01:00",
            "duration":"1:00:00","position":754.3,"read":"1","updated":"2026-11-30T02:00:00Z","version":"7","artwork":"/api/art",
            "chapters":[{"start":"0:10","title":"A"}],"enclosures":[{"enc":0,"url":"/media/a.mp3","length":1e9}]}],"next":"c"}
            """
        var random = Congruential(state: seed &* 977 &+ 1)
        var understood = 0
        for _ in 0..<1500 {
            let bytes = Self.mangled(Array(whole.utf8), &random)
            guard let page = try? OutsideJSON.decoded(WirePage.self, from: bytes) else { continue }
            for case let episode? in page.entries.map({ $0?.episode(server: "s", feed: "f") }) {
                understood += 1
                let duration = episode.duration ?? Episode.longest
                #expect((0...Episode.longest).contains(duration))
                #expect(episode.position.map { (0...duration).contains($0) } ?? true)
                #expect(!episode.id.feed.isEmpty && !episode.id.guid.isEmpty)
                #expect(episode.published.map { ISODate.parse(ISODate.text($0)) == $0 } ?? true)
                _ = episode.id.guid.asSegment
            }
        }
        #expect(understood > 100)
    }

    /// One to three bytes changed, left out or doubled, digits and quotes more often than others.
    private static func mangled(_ bytes: [UInt8], _ random: inout Congruential) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int(random.next() % 3) {
            let place = Int(random.next() % UInt64(bytes.count))
            let favourites = Array("0123456789\"-+.:eE{}[],tfnu\\ ".utf8)
            switch random.next() % 4 {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(favourites[Int(random.next() % UInt64(favourites.count))], at: place)
            case 2: bytes[place] = favourites[Int(random.next() % UInt64(favourites.count))]
            default: bytes[place] = UInt8(truncatingIfNeeded: random.next())
            }
        }
        return bytes
    }
}

/// Chance that comes the same each time (Knuth, MMIX).
private struct Congruential {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
