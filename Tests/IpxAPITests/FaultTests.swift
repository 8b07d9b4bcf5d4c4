import DemoKit
import EventLoop
import HTTPClient
import Library
import Linux
import Testing

@testable import IpxAPI

@Suite("The server or the network misbehaves", .timeLimit(.minutes(1)))
@Core
struct FaultTests {
    @Test("NET-01 a redirect to another server carries no token there, and what that one says is not believed")
    func redirectElsewhere() async throws {
        let other = try Scene()
        let scene = try Scene()
        scene.demo.faults = [Fault(.redirect(to: other.demo.origin + "{path}"))]
        for failure in [
            await scene.failure { try await scene.server.me() },
            await scene.failure { try await scene.server.feeds() },
            await scene.failure { try await scene.server.unread(order: .oldest, limit: 10) },
        ] {
            #expect(failure?.failure == .offline)
        }
        #expect(other.demo.log.all.count == 3)
        #expect(other.demo.log.all.allSatisfy { $0.credential == .none && $0.request.headers["authorization"] == nil })
        #expect(scene.dates.isEmpty)
    }

    @Test("NET-01 a position that is redirected elsewhere is sent nowhere else")
    func writeRedirectedElsewhere() async throws {
        let other = try Scene()
        let scene = try Scene()
        _ = try await scene.server.me()
        scene.demo.faults = [Fault(.redirect(to: other.demo.origin + "{path}", status: 307))]
        let failure = await scene.failure {
            try await scene.server.putPosition(Scene.record("f1", "f1-1", at: 5, version: 1), at: .example)
        }
        #expect(failure?.failure == .offline)
        #expect(other.demo.log.all.isEmpty)
    }

    @Test("NET-03 a redirect within the server keeps the token")
    func redirectWithin() async throws {
        let scene = try Scene()
        scene.demo.faults = [Fault(.redirect(to: "/api/entries/f1/f1-2", status: 301), on: "/api/entries/f1/old")]
        let failure = await scene.failure { try await scene.server.entry(Scene.id("f1", "old")) }
        // Signed in and answered: only the entry is another one.
        #expect(failure?.detail == "another entry than asked for")
        #expect(
            scene.demo.log.requests("/api/entries/*").map(\.credential) == [.bearer(matches: true), .bearer(matches: true)])
    }

    @Test("NET-03 a redirect that only changes the address' form is followed, signed in")
    func redirectForm() async throws {
        let scene = try Scene()
        scene.demo.faults = [Fault(.redirect(to: scene.demo.origin + "{path}", status: 308), on: "/api/me", times: 1)]
        #expect(try await scene.server.me().identity == "demo-ipx")
        #expect(scene.demo.log.all.map(\.credential) == [.bearer(matches: true), .bearer(matches: true)])
    }

    @Test("NET-04 from the server to another and back: the token stays dropped")
    func thereAndBack() async throws {
        let other = try Scene()
        let scene = try Scene()
        other.demo.faults = [Fault(.redirect(to: scene.demo.origin + "{path}"))]
        scene.demo.faults = [Fault(.redirect(to: other.demo.origin + "{path}"), times: 1)]
        let failure = await scene.failure { try await scene.server.me() }
        #expect(failure?.failure == .unauthorized)
        #expect(scene.demo.log.all.map(\.credential) == [.bearer(matches: true), .none])
        #expect(other.demo.log.all.map(\.credential) == [.none])
    }

    @Test("NET-05 a redirect to itself ends after 8 hops")
    func loop() async throws {
        let scene = try Scene(faults: [Fault(.redirect(to: nil))])
        #expect(await scene.failure { try await scene.server.me() }?.failure == .offline)
        #expect(scene.demo.log.all.count == 9)
    }

    @Test(
        "NET-08 a login or captive page with 200 is no answer, whatever it calls itself",
        arguments: [
            "text/html; charset=utf-8", "application/json", "image/png", "audio/mpeg",
        ])
    func page(_ type: String) async throws {
        let scene = try Scene(faults: [Fault(.html(type: type), after: 1)])
        _ = try await scene.server.me()
        let dates = scene.dates.count
        for failure in [
            await scene.failure { try await scene.server.me() },
            await scene.failure { try await scene.server.feeds() },
            await scene.failure { try await scene.server.unread(order: .oldest, limit: 9) },
            await scene.failure { try await scene.server.entry(Scene.id("f1", "f1-1")) },
            await scene.failure { try await scene.server.artwork("/api/art?feed=f1") },
            await scene.failure {
                try await scene.server.putPosition(Scene.record("f1", "f1-1", at: 5, version: 1), at: .example)
            },
            await scene.failure { try await scene.server.putRead(Scene.id("f1", "f1-1"), read: true, at: .example) },
        ] {
            #expect(failure == CallFailure(.notAnAnswer, "captive or sign-in page"))
            #expect(failure?.failure == .offline)
        }
        #expect(scene.dates.count == dates)
        #expect(scene.server.missing.isEmpty)
        scene.demo.faults = []
        #expect(try await scene.server.unread(order: .oldest, limit: 9).episodes.count == 9)
    }

    @Test("NET-08 a sign-in form that comes back with 200 is no session")
    func loginPage() async throws {
        let folder = try TestFolder()
        let scene = try Scene(withToken: false, jar: folder.jar, faults: [Fault(.html(), on: "/api/login")])
        let failure = await scene.failure {
            try await scene.server.login(user: Scene.login.user, password: Secret(Scene.login.password))
        }
        #expect(failure?.kind == .signIn)
    }

    @Test(
        "NET-10 half a JSON is a failed call",
        arguments: ["/api/me", "/api/feeds", "/api/entries/unread", "/api/entries/f1/f1-1"])
    func half(_ path: String) async throws {
        let scene = try Scene(faults: [Fault(.halfJSON, on: path)])
        if path != "/api/me" { _ = try await scene.server.me() }
        let failure = await scene.failure {
            switch path {
            case "/api/me": _ = try await scene.server.me()
            case "/api/feeds": _ = try await scene.server.feeds()
            case "/api/entries/unread": _ = try await scene.server.unread(order: .oldest, limit: 10)
            default: _ = try await scene.server.entry(Scene.id("f1", "f1-1"))
            }
        }
        #expect(failure?.kind == .notAnAnswer && failure?.failure == .offline)
        #expect(failure?.detail.hasPrefix("broken JSON") == true)
    }

    @Test(
        "NET-10 JSON of another shape is a failed call, not an empty list",
        arguments: [
            "{}", "null", "\"\"", "42", "true", "{\"error\":\"x\"}", "{\"entries\":null}", "{\"entries\":{}}", "[1,2,3]",
            "{\"entries\":[1,\"a\",null]}",
        ])
    func otherShape(_ text: String) async throws {
        let scene = try Scene()
        _ = try await scene.server.me()
        scene.demo.faults = [Fault(.text(text), on: "/api/entries/unread"), Fault(.text(text), on: "/api/feeds")]
        let list = await scene.failure { try await scene.server.unread(order: .oldest, limit: 10) }
        #expect(list?.kind == .notAnAnswer)
        let feeds = await scene.failure { try await scene.server.feeds() }
        #expect(feeds?.kind == .notAnAnswer)
    }

    @Test("NET-10 a sudden empty list is reported as such while the server still counts unread ones")
    func suddenlyEmpty() async throws {
        let scene = try Scene(.many(50))
        #expect(try await scene.server.unread(order: .oldest, limit: 100).episodes.count == 50)
        scene.demo.faults = [Fault(.emptyList, on: "/api/entries/unread")]
        let listing = try await scene.server.unread(order: .oldest, limit: 100)
        #expect(listing.episodes.isEmpty && listing.isSuspiciouslyEmpty)
    }

    @Test("NET-10 an empty list that the server's count confirms is just that")
    func rightlyEmpty() async throws {
        let scene = try Scene(.many(0))
        let listing = try await scene.server.unread(order: .oldest, limit: 100)
        #expect(listing == Listing(episodes: []))
    }

    @Test("an entry that can't be read is left out with a line in the log, the list lives")
    func oneBadEntry() async throws {
        let scene = try Scene()
        _ = try await scene.server.me()
        let file = #""enclosures":[{"url":"/media/a.mp3"}]"#
        let page = """
            {"entries":[{"feedId":"f1","guid":"a",\(file)},7,{"guid":"no feed",\(file)},{"feedId":3,"guid":4,\(file)},
            {"feedId":"f1","guid":"text only","enclosures":[]}],"next":null}
            """
        scene.demo.faults = [Fault(.text(page), on: "/api/entries/unread")]
        let listing = try await scene.server.unread(order: .oldest, limit: 10)
        #expect(listing.episodes.map(\.id) == [Scene.id("f1", "a"), Scene.id("3", "4")])
        #expect(scene.lines.all.contains { $0.contains("dropped=2") && $0.contains("of=5") })
    }

    @Test("NET-11 401 and 403 ask for a new sign-in, one request each", arguments: [401, 403])
    func unauthorized(_ status: Int) async throws {
        let scene = try Scene(faults: [Fault(.status(status))])
        #expect(await scene.failure { try await scene.server.me() }?.failure == .unauthorized)
        #expect(scene.demo.log.all.count == 1)
    }

    @Test("NET-11 the token is revoked in mid-drive: unsent positions fail as signed out, not as done")
    func tokenRevoked() async throws {
        let scene = try Scene()
        _ = try await scene.server.me()
        scene.demo.setToken("another")
        let failure = await scene.failure {
            try await scene.server.putPosition(Scene.record("f1", "f1-1", at: 5, version: 1), at: .example)
        }
        #expect(failure?.kind == .signIn)
        #expect(scene.demo.episode("f1", "f1-1")?.position == 0)
    }

    @Test("the server asks for patience: the time it names comes along", arguments: [429, 503])
    func retryAfter(_ status: Int) async throws {
        let scene = try Scene(faults: [Fault(.status(status, retryAfter: "120"), times: 1)])
        let failure = await scene.failure { try await scene.server.me() }
        #expect(failure?.kind == .tryLater(status: status) && failure?.retryAfter == 120 && failure?.failure == .offline)
        #expect(try await scene.server.me().identity == "demo-ipx")
    }

    @Test("patience until a date counts from the server's own clock, odd values are none")
    func retryAfterDate() async throws {
        let date = Fault(.date("Sun, 06 Nov 1994 08:49:37 GMT"))
        for (text, seconds) in [
            ("Sun, 06 Nov 1994 08:50:07 GMT", 30.0), ("Sun, 06 Nov 1994 08:49:07 GMT", 0), ("soon", nil), ("-5", 0),
            ("1e9", 86_400),
        ] as [(String, Double?)] {
            let scene = try Scene(faults: [Fault(.status(503, retryAfter: text)), date])
            #expect(await scene.failure { try await scene.server.me() }?.retryAfter == seconds, "\(text)")
        }
    }

    @Test("a part that the server lacks is switched off with one line, and not asked for again", arguments: [404, 405, 501])
    func unsupported(_ status: Int) async throws {
        let scene = try Scene()
        _ = try await scene.server.me()
        scene.demo.faults = [
            Fault(.status(status), on: "/api/feeds"), Fault(.status(status), on: "*/position"),
            Fault(.status(status), on: "*/read"),
        ]
        for _ in 0..<3 {
            #expect(await scene.failure { try await scene.server.feeds() }?.kind == .unsupported(.feeds))
            let record = Scene.record("f1", "f1-1", at: 5, version: 1)
            #expect(try await scene.server.putPosition(record, at: .example) == .unsupported)
            #expect(try await scene.server.putRead(Scene.id("f1", "f1-1"), read: true, at: .example) == .unsupported)
        }
        #expect(scene.server.missing == [.feeds, .positions, .readFlags])
        #expect(scene.demo.log.requests("/api/feeds").count == 1)
        #expect(scene.demo.log.requests("*", method: "PUT").count == 2)
        #expect(scene.lines.all.filter { $0.contains("switched off") }.count == 3)
        scene.server.access.proxyHeaders = [ServerAccess.ProxyHeader(name: "X-Access", value: Secret("s"))]
        #expect(scene.server.missing.isEmpty)
    }

    @Test("a network that answers 404 to everything doesn't switch anything off")
    func strangers404() async throws {
        let scene = try Scene(faults: [Fault(.status(404))])
        #expect(await scene.failure { try await scene.server.feeds() }?.kind == .notFound)
        #expect(await scene.failure { try await scene.server.me() }?.kind == .notFound)
        #expect(scene.server.missing.isEmpty)
    }

    @Test("a write to an entry that is gone is told as gone, and positions stay switched on")
    func gone() async throws {
        let scene = try Scene()
        let record = Scene.record("f1", "removed", at: 5, version: 1)
        #expect(try await scene.server.putPosition(record, at: .example) == .gone)
        #expect(scene.server.missing.isEmpty)
    }

    @Test("a write that the server refuses for good is not taken for a bad network")
    func refused() async throws {
        let scene = try Scene(faults: [Fault(.status(422), on: "*/position")])
        let failure = await scene.failure {
            try await scene.server.putPosition(Scene.record("f1", "f1-1", at: 5, version: 1), at: .example)
        }
        #expect(failure?.kind == .refused(status: 422) && failure?.failure == .internal)
    }

    @Test("a write answered with someone else's JSON is not done", arguments: ["{}", "[]", "{\"ok\":true}", "", "null"])
    func strangeWriteAnswer(_ text: String) async throws {
        let scene = try Scene(faults: [Fault(.text(text), on: "*/position")])
        let failure = await scene.failure {
            try await scene.server.putPosition(Scene.record("f1", "f1-1", at: 5, version: 1), at: .example)
        }
        #expect(failure?.kind == .notAnAnswer)
    }

    @Test("a write answered with 204 is done")
    func noContent() async throws {
        let scene = try Scene(faults: [Fault(.status(204), on: "*/position")])
        let outcome = try await scene.server.putPosition(Scene.record("f1", "f1-1", at: 5, version: 1), at: .example)
        #expect(outcome == .accepted(version: nil, updated: nil))
    }

    @Test("no network, no answer, or one cut in the middle: offline", arguments: [0, 1, 2, 3])
    func offline(_ way: Int) async throws {
        let scene = try Scene()
        switch way {
        case 0: scene.demo.stop()
        case 1: scene.demo.faults = [Fault(.noAnswer)]
        case 2: scene.demo.faults = [Fault(.cut(afterBytes: 20))]
        default: scene.demo.faults = [Fault(.cut(afterBytes: 20, reset: true))]
        }
        #expect(await scene.failure { try await scene.server.me() }?.kind == .offline)
        scene.demo.faults = []
        try scene.demo.start()
        #expect(try await scene.server.me().identity == "demo-ipx")
    }

    @Test("NET-13 a packed answer is read all the same; so is one without length")
    func packed() async throws {
        let scene = try Scene(faults: [Fault(.gzip, times: 1)])
        #expect(try await scene.server.me().identity == "demo-ipx")
        scene.demo.faults = [Fault(.chunked(lastChunk: true))]
        #expect(try await scene.server.feeds().count == 3)
        scene.demo.faults = [Fault(.chunked(lastChunk: false))]
        #expect(await scene.failure { try await scene.server.feeds() }?.kind == .offline)
    }

    @Test("NET-14 an announced length of 0 before a body is a failed call")
    func lengthZero() async throws {
        let scene = try Scene(faults: [Fault(.contentLength(0))])
        #expect(await scene.failure { try await scene.server.me() }?.failure == .offline)
    }

    @Test("numbers that come as text are numbers")
    func numbersAsText() async throws {
        let scene = try Scene(faults: [Fault(.numbersAsStrings)])
        let user = try await scene.server.me()
        #expect(user.unread == 11 && user.skipForward == 30)
        let episode = try await scene.server.entry(Scene.id("f1", "f1-2"))
        #expect(episode.position == 754.3 && episode.version == 2 && episode.duration == 3600)
        #expect(episode.chapters.map(\.start) == [0, 60.5] && episode.enclosures.first?.length == 8)
        let outcome = try await scene.server.putPosition(Scene.record("f1", "f1-2", at: 800, version: 2), at: .example)
        #expect(outcome == .accepted(version: 3, updated: .example))
    }

    @Test("answers that overtake each other reach the calls they belong to")
    func reordered() async throws {
        let scene = try Scene(faults: [Fault(.overtaken(by: 1), on: "/api/entries/f1/*", times: 1)])
        _ = try await scene.server.me()
        async let slow = scene.server.entry(Scene.id("f1", "f1-1"))
        #expect(await scene.demo.log.wait(for: 1, "/api/entries/f1/*"))
        let quick = try await scene.server.entry(Scene.id("f1", "f1-2"))
        #expect(quick.id.guid == "f1-2")
        #expect(try await slow.id.guid == "f1-1")
    }

    @Test("nothing but the contract's paths is asked at the API address, and no token is in the log")
    func firewall() async throws {
        let scene = try Scene(isAPIAddress: true)
        _ = try await scene.server.feeds()
        _ = try await scene.server.unread(order: .newest, limit: 3)
        _ = try await scene.server.artwork("/api/art?feed=f2")
        let enclosure = Enclosure(number: 0, url: "/media/f1/1.mp3")
        _ = try await scene.client.send(try #require(scene.server.request(for: enclosure)))
        for listed in ["/admin", "/api/login", "/media/../admin", "/api/artefact", "/", "", "admin.mp3"] {
            #expect(scene.server.request(for: Enclosure(number: 0, url: listed)) == nil, "\(listed)")
            #expect(await scene.failure { try await scene.server.artwork(listed) }?.kind == .badAddress)
        }
        #expect(scene.demo.log.violations.isEmpty)
        #expect(!scene.lines.all.joined().contains(Scene.token))
    }

    @Test("an enclosure of another origin is asked for without any credential")
    func foreignEnclosure() async throws {
        let other = try Scene()
        let scene = try Scene()
        let request = try #require(
            scene.server.request(for: Enclosure(number: 0, url: other.demo.origin + "/media/f1/1.mp3")))
        #expect(request.credentials == nil)
        _ = try await scene.client.send(request)
        #expect(other.demo.log.all.map(\.credential) == [.none])
    }

    @Test("the server's own absolute address leads to the API address, where the token is good")
    func ownAbsoluteURL() async throws {
        let scene = try Scene()
        scene.server.access = ServerAccess(
            server: try ServerAddress("https://ipx.example.org/pods"), apiAddress: scene.server.access.server,
            token: Secret(Scene.token))
        let own = Enclosure(number: 0, url: "https://ipx.example.org/pods/media/f1/1.mp3?x=1")
        let request = try #require(scene.server.request(for: own))
        #expect(request.url == scene.demo.origin + "/media/f1/1.mp3?x=1")
        #expect(request.credentials?.bearer == Scene.token)
        let neighbour = Enclosure(number: 0, url: "https://ipx.example.org/other/a.mp3")
        #expect(try #require(scene.server.request(for: neighbour)).credentials == nil)
    }

    @Test("headers for the access proxy go to the server's address only, never to the API address or after a redirect")
    func proxyHeaders() async throws {
        let page = try Scene(withToken: false)
        let api = try Scene(isAPIAddress: true)
        let headers = [ServerAccess.ProxyHeader(name: "X-Access-Secret", value: Secret("s3"))]
        page.server.access.proxyHeaders = headers
        #expect(await page.failure { try await page.server.me() }?.kind == .signIn)
        page.demo.faults = [Fault(.redirect(to: api.demo.origin + "{path}"))]
        _ = await page.failure { try await page.server.me() }
        api.server.access = ServerAccess(
            server: page.server.access.server, apiAddress: api.server.access.server, token: Secret(Scene.token),
            proxyHeaders: headers)
        _ = try await api.server.me()
        #expect(page.demo.log.all.map { $0.request.headers["x-access-secret"] } == ["s3", "s3"])
        #expect(api.demo.log.all.allSatisfy { $0.request.headers["x-access-secret"] == nil })
    }

    @Test("positions out of range and odd dates of the server don't reach the player")
    func oddFields() async throws {
        let odd: [String: JSONValue] = ["position": -5, "duration": 47_815_094, "updated": "soon", "published": 12]
        let scene = try Scene(faults: [Fault(.entryFields(odd), on: "/api/entries/*")])
        let episode = try await scene.server.entry(Scene.id("f1", "f1-2"))
        #expect(episode.position == nil && episode.duration == nil && episode.updated == nil && episode.published == nil)
        #expect(episode.title == "Episode 2")
    }
}
