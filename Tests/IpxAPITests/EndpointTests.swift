import DemoKit
import EventLoop
import HTTPClient
import Library
import Linux
import Testing

@testable import IpxAPI

@Suite("The box asks its server", .timeLimit(.minutes(1)))
@Core
struct EndpointTests {
    @Test("who am I: identity, unread count and settings come back, asked with the token")
    func me() async throws {
        let scene = try Scene(isAPIAddress: true)
        let user = try await scene.server.me()
        #expect(user == ServerUser(identity: "demo-ipx", name: "Demo", unread: 11, rate: 1, skipForward: 30, skipBack: 15))
        #expect(scene.server.identity == "demo-ipx")
        let line = try #require(scene.demo.log.all.first)
        #expect(line.method == "GET" && line.request.target == "/api/me" && line.credential == .bearer(matches: true))
    }

    @Test("a server without an identity of its own is known by the listener's id")
    func meWithoutServer() async throws {
        var library = DemoLibrary.threeShows
        library.user.server = nil
        let scene = try Scene(library)
        #expect(try await scene.server.me().identity == "u1")
    }

    @Test("feeds come with title, artwork and unread count")
    func feeds() async throws {
        let scene = try Scene()
        let shows = try await scene.server.feeds()
        #expect(shows.map(\.id) == ["f1", "f2", "f3"])
        #expect(shows.first == Show(id: "f1", title: "Show 1", artwork: "/api/art?feed=f1", unread: 3))
    }

    @Test("the unread list comes oldest first and whole, page after page")
    func unread() async throws {
        let scene = try Scene(.many(250))
        let listing = try await scene.server.unread(order: .oldest, limit: 1000)
        #expect(listing.episodes.count == 250)
        #expect(Set(listing.episodes.map(\.id)).count == 250)
        #expect(
            listing.episodes.map { $0.published?.milliseconds ?? 0 } == (0..<250).map { 1_760_000_000_000 + $0 * 60_000 })
        #expect(!listing.isTruncated && !listing.isSuspiciouslyEmpty)
        #expect(scene.demo.log.requests("/api/entries/unread").count == 3)
        #expect(scene.demo.log.violations.isEmpty)
    }

    @Test("the unread list stops at the bound and says so", arguments: [1, 100, 120])
    func unreadBound(_ limit: Int) async throws {
        let scene = try Scene(.many(250))
        let listing = try await scene.server.unread(order: .newest, limit: limit)
        #expect(listing.episodes.count == limit && listing.isTruncated)
        #expect(listing.episodes.first?.id.guid == "g249")
    }

    @Test("a cursor that never ends is followed once around, not for ever")
    func endlessCursor() async throws {
        let scene = try Scene(.many(5))
        let page = #"{"entries":[{"feedId":"f1","guid":"g1","enclosures":[{"url":"/media/a.mp3"}]}],"next":"again"}"#
        scene.demo.faults = [Fault(.text(page), on: "/api/entries/unread")]
        let listing = try await scene.server.unread(order: .oldest, limit: 1000)
        #expect(listing.episodes.map(\.id.guid) == ["g1"])
        #expect(scene.demo.log.requests("/api/entries/unread").count == 2)
    }

    @Test("a page that fails fails the whole list: half a list is none")
    func pageFails() async throws {
        let scene = try Scene(.many(250))
        scene.demo.faults = [Fault(.status(500), on: "/api/entries/unread", after: 1)]
        let failure = await scene.failure { try await scene.server.unread(order: .oldest, limit: 1000) }
        #expect(failure?.kind == .tryLater(status: 500))
    }

    @Test("the entries of one feed, all or unread")
    func feedEntries() async throws {
        let scene = try Scene()
        #expect(try await scene.server.entries("f1").episodes.count == 4)
        #expect(try await scene.server.entries("f1", unreadOnly: true).episodes.map(\.id.guid) == ["f1-1", "f1-2", "f1-4"])
    }

    @Test("one entry comes with everything the server knows of it")
    func entry() async throws {
        let scene = try Scene()
        let episode = try await scene.server.entry(Scene.id("f1", "f1-2"))
        #expect(episode.title == "Episode 2" && episode.feedTitle == "Show 1")
        #expect(episode.duration == 3600 && episode.position == 754.3 && !episode.isRead && episode.version == 2)
        #expect(episode.published == WallTime(milliseconds: (1_760_000_000 + 7 * 86400) * 1000))
        #expect(episode.updated == nil && episode.artwork == "/api/art?feed=f1")
        #expect(episode.chapters == [Chapter(start: 0, title: "Start"), Chapter(start: 60.5, title: "Main")])
        #expect(episode.enclosures == [Enclosure(number: 0, url: "/media/f1/2.mp3", type: "audio/mpeg", length: 8)])
    }

    @Test("an entry that is gone is not found, with the server still in use")
    func entryGone() async throws {
        let scene = try Scene()
        let failure = await scene.failure { try await scene.server.entry(Scene.id("f1", "none")) }
        #expect(failure?.kind == .notFound && failure?.failure == .notFound)
        #expect(scene.server.missing.isEmpty)
    }

    @Test(
        "a guid is one path segment, whatever is in it",
        arguments: [
            "https://example.org/a?b=c&d=e#f", "a/b/../c", "with blank + plus", "späße ☕️", "100%", "..", ".", "%2F",
            "tag:x,2026:1",
        ])
    func guids(_ guid: String) async throws {
        let episode = DemoEpisode(
            guid: guid, title: "T", duration: 100, enclosures: [DemoEnclosure(name: "a.mp3", content: .bytes([1]))])
        let scene = try Scene(.one(episode), isAPIAddress: true)
        #expect(try await scene.server.entry(Scene.id("f1", guid)).id == Scene.id("f1", guid))
        let outcome = try await scene.server.putPosition(Scene.record("f1", guid, at: 7, version: 1), at: .example)
        #expect(outcome == .accepted(version: 2, updated: .example))
        #expect(scene.demo.episode("f1", guid)?.position == 7)
        #expect(scene.demo.log.violations.isEmpty)
        let path = try #require(scene.demo.log.requests("*/position").first?.path)
        #expect(path.split(separator: "/").count == 5)
    }

    @Test("POS-05 a position goes out with every field that progress is derived from")
    func wholeRecord() async throws {
        let scene = try Scene()
        var record = Scene.record("f1", "f1-1", at: 754.30049, version: 1)
        record.enclosure = 1
        _ = try await scene.server.putPosition(record, at: .example)
        let body = try #require(scene.demo.log.requests("*/position", method: "PUT").first?.request.json)
        #expect(
            body == [
                "enc": 1, "position": 754.3, "duration": 3600, "at": "2026-11-30T02:00:00.000Z", "version": 1,
                "device": "ipx-car test",
            ])
    }

    @Test("POS-05 an unknown duration is sent as unknown, not left out; without a base there is no version")
    func unknownDuration() async throws {
        let scene = try Scene()
        let record = Scene.record("f1", "f1-1", at: 5, version: nil, duration: nil)
        _ = try await scene.server.putPosition(record, at: .example)
        let body = try #require(scene.demo.log.requests("*/position").first?.request.json)
        #expect(body["duration"] == .some(.null) && body["version"] == nil && body["position"] == 5)
    }

    @Test("a position beyond the end goes out as the end, one below 0 as 0", arguments: [(4000.0, 3600.0), (-3, 0)])
    func clamped(_ position: Double, _ sent: Double) async throws {
        let scene = try Scene()
        _ = try await scene.server.putPosition(Scene.record("f1", "f1-1", at: position, version: 1), at: .example)
        #expect(scene.demo.episode("f1", "f1-1")?.position == sent)
    }

    @Test("the version of one answer is the base of the next write: read first, then position 0")
    func naturalEnd() async throws {
        let scene = try Scene()
        let read = try await scene.server.putRead(Scene.id("f1", "f1-1"), read: true, at: .example)
        #expect(read == .accepted(version: 2, updated: nil))
        let zero = try await scene.server.putPosition(Scene.record("f1", "f1-1", at: 0, version: 2), at: .example)
        #expect(zero == .accepted(version: 3, updated: .example))
        #expect(scene.demo.episode("f1", "f1-1")?.isRead == true)
        #expect(scene.demo.log.requests("*/read").first?.request.json == ["read": true, "at": "2026-11-30T02:00:00.000Z"])
    }

    @Test("the server moved on meanwhile: the write is a conflict with the entry as it stands, and nothing was changed")
    func conflict() async throws {
        let scene = try Scene()
        _ = try await scene.server.putPosition(Scene.record("f1", "f1-1", at: 100, version: 1), at: .example)
        let outcome = try await scene.server.putPosition(Scene.record("f1", "f1-1", at: 50, version: 1), at: .example)
        guard case .conflict(let present) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(present.position == 100 && present.version == 2 && present.updated == .example)
        #expect(present.id == Scene.id("f1", "f1-1"))
        #expect(scene.demo.episode("f1", "f1-1")?.position == 100)
    }

    @Test("a conflict whose answer says nothing is settled by reading the entry")
    func emptyConflict() async throws {
        let scene = try Scene(faults: [Fault(.status(409), on: "*/position")])
        let outcome = try await scene.server.putPosition(Scene.record("f1", "f1-2", at: 50, version: 1), at: .example)
        guard case .conflict(let present) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(present.position == 754.3 && present.version == 2)
    }

    @Test("an older kind of server without versions takes every write")
    func noVersions() async throws {
        let scene = try Scene(faults: [Fault(.noVersions)])
        #expect(try await scene.server.entry(Scene.id("f1", "f1-2")).version == nil)
        let outcome = try await scene.server.putPosition(Scene.record("f1", "f1-2", at: 5, version: nil), at: .example)
        #expect(outcome == .accepted(version: nil, updated: .example))
    }

    @Test("an entry without guid is playable, stays apart from its like, and nothing of it is pushed")
    func withoutGuid() async throws {
        var library = DemoLibrary.threeShows
        library.shows[0].episodes[0].guid = nil
        library.shows[0].episodes[1].guid = nil
        let scene = try Scene(library)
        let first = try await scene.server.unread(order: .oldest, limit: 100).episodes.filter(\.id.isLocal)
        let again = try await scene.server.entries("f1").episodes.filter(\.id.isLocal)
        #expect(Set(first.map(\.id)).count == 2 && Set(first.map(\.id)) == Set(again.map(\.id)))
        #expect(first.allSatisfy { !$0.enclosures.isEmpty && $0.version == nil })
        let count = scene.demo.log.all.count
        let record = PositionRecord(
            episode: first[0].id, position: 5, listened: Stamp(boot: "b", at: Instant(nanoseconds: 0)))
        #expect(try await scene.server.putPosition(record, at: .example) == .gone)
        #expect(try await scene.server.putRead(first[0].id, read: true, at: .example) == .gone)
        #expect(await scene.failure { try await scene.server.entry(first[0].id) }?.kind == .notFound)
        #expect(scene.demo.log.all.count == count)
    }

    @Test("a record of another server is never pushed to this one")
    func otherServer() async throws {
        let scene = try Scene()
        var record = Scene.record("f1", "f1-1", at: 5, version: 1)
        record.episode.server = "another"
        #expect(await scene.failure { try await scene.server.putPosition(record, at: .example) }?.kind == .internal)
        #expect(scene.demo.log.requests("*", method: "PUT").isEmpty)
    }

    @Test("artwork comes once; with its tag again only the news that it is unchanged")
    func artwork() async throws {
        let scene = try Scene()
        let answer = try await scene.server.artwork("/api/art?feed=f1&size=16")
        guard case .image(let bytes, .png, let etag?) = answer else { return #expect(Bool(false), "\(answer)") }
        #expect(bytes.count > 16 * 16 * 3)
        #expect(try await scene.server.artwork("/api/art?feed=f1&size=16", etag: etag) == .notModified)
    }

    @Test("signing in by name and password: the session's cookie is what the next calls show")
    func login() async throws {
        let folder = try TestFolder()
        let scene = try Scene(withToken: false, jar: folder.jar)
        #expect(await scene.failure { try await scene.server.me() }?.kind == .signIn)
        try await scene.server.login(user: Scene.login.user, password: Secret(Scene.login.password))
        #expect(try await scene.server.me().identity == "demo-ipx")
        let last = try #require(scene.demo.log.all.last)
        #expect(last.credential == .cookie(matches: true))
        scene.demo.endSessions()
        #expect(await scene.failure { try await scene.server.me() }?.failure == .unauthorized)
    }

    @Test("a wrong password is told as that, and nothing secret is logged")
    func wrongPassword() async throws {
        let folder = try TestFolder()
        let scene = try Scene(withToken: false, jar: folder.jar)
        let failure = await scene.failure {
            try await scene.server.login(user: "driver@example.org", password: Secret("hunter2"))
        }
        #expect(failure?.kind == .signIn)
        #expect(!"\(String(describing: failure)) \(scene.lines.all)".contains("hunter2"))
    }

    @Test("the sign-in goes to the server and never to the API address, though there is a token")
    func loginWithToken() async throws {
        let folder = try TestFolder()
        let page = try Scene(withToken: false, jar: folder.jar)
        let api = try Scene(isAPIAddress: true)
        page.server.access = ServerAccess(
            server: page.server.access.server, apiAddress: api.server.access.server, token: Secret(Scene.token),
            cookieJar: folder.jar)
        try await page.server.login(user: Scene.login.user, password: Secret(Scene.login.password))
        #expect(try await page.server.me().identity == "demo-ipx")
        #expect(page.demo.log.all.map(\.path) == ["/api/login"])
        #expect(page.demo.log.all.first?.credential == LoggedRequest.Credential.none)
        #expect(api.demo.log.all.map(\.path) == ["/api/me"])
        #expect(api.demo.log.violations.isEmpty)
    }

    @Test("a server below a base path: every request and every listed address goes below it")
    func basePath() async throws {
        let scene = try Scene(basePath: "/pods/ipx")
        let listing = try await scene.server.unread(order: .oldest, limit: 1)
        let enclosure = try #require(listing.episodes.first?.enclosures.first)
        let request = try #require(scene.server.request(for: enclosure))
        let response = try await scene.client.send(request)
        #expect(response.status == 200 && response.body == Array("f1/1.mp3".utf8))
        guard case .image = try await scene.server.artwork("/api/art?feed=f1") else { return #expect(Bool(false)) }
        #expect(scene.demo.log.all.allSatisfy { $0.path.hasPrefix("/pods/ipx/") && $0.credential == .bearer(matches: true) })
    }

    @Test("every answer's Date comes with the moment of this boot it belongs to")
    func dates() async throws {
        let scene = try Scene(faults: [Fault(.date("Sun, 06 Nov 1994 08:49:37 GMT"))])
        let before = Instant(nanoseconds: Clocks.monotonic())
        _ = try await scene.server.me()
        let after = Instant(nanoseconds: Clocks.monotonic())
        let sample = try #require(scene.dates.first)
        #expect(sample.date == WallTime(milliseconds: 784_111_777_000))
        #expect(before < sample.at && sample.at < after)
    }

    @Test("an answer without Date, or with an odd one, gives no time", arguments: [nil, "yesterday", "2026-11-30"])
    func noDate(_ date: String?) async throws {
        let scene = try Scene(faults: [Fault(.date(date))])
        _ = try await scene.server.me()
        #expect(scene.dates.isEmpty)
    }
}

extension WallTime {
    /// 2026-11-30T02:00:00Z
    static let example = WallTime(milliseconds: 1_796_004_000_000)
}

extension DemoLibrary {
    /// One feed with so many unread entries, g0 the oldest.
    static func many(_ count: Int) -> DemoLibrary {
        DemoLibrary(shows: [
            DemoShow(
                id: "f1", title: "Show 1",
                episodes: (0..<count).map { number in
                    DemoEpisode(
                        guid: "g\(number)", title: "Episode \(number)", published: 1_760_000_000 + Double(number) * 60,
                        duration: 60, enclosures: [DemoEnclosure(name: "\(number).mp3", content: .bytes([0]))])
                })
        ])
    }
}
