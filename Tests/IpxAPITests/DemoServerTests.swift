import DemoKit
import EventLoop
import Glibc
import HTTPClient
import Library
import Linux
import Testing

@testable import IpxAPI

@Suite("The stand-in server keeps the contract, and breaks it only where told", .timeLimit(.minutes(1)))
@Core
struct DemoServerTests {
    private let client = HTTPClient(HTTPClient.Configuration(userAgent: "ipx-car/test"))
    private let audio = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    private func server(_ faults: [Fault] = []) throws -> DemoServer {
        let episode = DemoEpisode(guid: "g", title: "T", enclosures: [DemoEnclosure(name: "a.mp3", content: .bytes(audio))])
        let server = try DemoServer(library: .one(episode))
        server.faults = faults
        try server.start()
        return server
    }

    private func get(
        _ server: DemoServer, _ headers: [(String, String)] = [], path: String = "/media/a.mp3",
        stall: Duration = .seconds(20)
    ) async throws(HTTPError) -> HTTPResponse {
        var request = HTTPRequest(url: server.origin + path, timeout: .seconds(30), stallTimeout: stall)
        request.headers = headers
        return try await client.send(request)
    }

    @Test(
        "one range in its three forms, the whole for what it can't read, 416 behind the end",
        arguments: [
            ("bytes=0-9", 206, 0..<10), ("bytes=199990-", 206, 199_990..<200_000), ("bytes=-5", 206, 199_995..<200_000),
            ("bytes=5-999999", 206, 5..<200_000), ("bytes=0-", 206, 0..<200_000), ("items=0-9", 200, 0..<200_000),
            ("bytes=9-5", 416, 0..<0), ("bytes=200000-", 416, 0..<0), ("bytes=0-1,5-6", 200, 0..<200_000),
            ("bytes=x-", 200, 0..<200_000),
        ] as [(String, Int, Range<Int>)])
    func ranges(_ range: String, _ status: Int, _ bytes: Range<Int>) async throws {
        let response = try await get(server(), [("Range", range)])
        #expect(response.status == status && response.body == Array(audio[bytes]))
        if status == 206 {
            let text = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/200000"
            #expect(response.headers["Content-Range"] == text)
        }
        if status == 416 { #expect(response.headers["Content-Range"] == "bytes */200000") }
    }

    @Test("a range under a validator is kept while the file is the same, and the whole new file comes after a change")
    func ifRange() async throws {
        let server = try server()
        let first = try await get(server)
        for name in ["ETag", "Last-Modified"] {
            let validator = try #require(first.headers[name])
            #expect(try await get(server, [("Range", "bytes=5-"), ("If-Range", validator)]).status == 206)
        }
        server.update { $0.shows[0].episodes[0].enclosures[0].revision = 2 }
        for name in ["ETag", "Last-Modified"] {
            let validator = try #require(first.headers[name])
            #expect(try await get(server, [("Range", "bytes=5-"), ("If-Range", validator)]).status == 200)
        }
    }

    @Test("bodies that end, fall silent or lie about their length")
    func badBodies() async throws {
        for fault in [
            Fault.Kind.cut(afterBytes: 1000), .cut(afterBytes: 1000, reset: true), .chunked(lastChunk: false), .noAnswer,
            .contentLength(300_000),
        ] {
            let server = try server([Fault(fault, on: "/media/*", times: 1)])
            await #expect(throws: HTTPError.self) { try await get(server) }
            #expect(try await get(server).body == audio)
        }
        let stalled = try server([Fault(.stall(afterBytes: 1000), times: 1)])
        await #expect(throws: HTTPError.stalled) { try await get(stalled, stall: .milliseconds(300)) }
        #expect(stalled.log.all.first?.sent == 1000)
    }

    @Test("ranges refused, ignored and wrongly labelled")
    func badRanges() async throws {
        for status in [406, 416] {
            let server = try server([Fault(.refuseRange(status: status), on: "/media/*")])
            #expect(try await get(server, [("Range", "bytes=0-")]).status == status)
            #expect(try await get(server).status == 200)
        }
        #expect(try await get(server([Fault(.ignoreRange)]), [("Range", "bytes=5-")]).status == 200)
        let server = try server([Fault(.ignoreIfRange)])
        let tag = try #require(try await get(server).headers["ETag"])
        #expect(try await get(server, [("Range", "bytes=5-")]).status == 206)
        #expect(try await get(server, [("Range", "bytes=5-"), ("If-Range", tag)]).status == 200)
        let wrong = try await get(self.server([Fault(.contentRange("bytes 7-9/10"))]), [("Range", "bytes=5-8")])
        #expect(wrong.status == 206 && wrong.headers["Content-Range"] == "bytes 7-9/10")
    }

    @Test("validators change or are missing, types are odd")
    func headers() async throws {
        let changing = try server([Fault(.changingValidators)])
        let tags = [try await get(changing).headers["ETag"], try await get(changing).headers["ETag"]]
        #expect(tags[0] != tags[1])
        let bare = try await get(server([Fault(.noValidators), Fault(.contentType(nil))]))
        #expect(bare.headers["ETag"] == nil && bare.headers["Last-Modified"] == nil && bare.headers["Content-Type"] == nil)
        #expect(try await get(server([Fault(.contentType("text/x"))])).headers["Content-Type"] == "text/x")
    }

    @Test("a fault spares the first requests and ends after its times")
    func counting() async throws {
        let server = try server([Fault(.status(401), on: "/media/*", after: 2, times: 2)])
        var seen: [Int] = []
        for _ in 0..<6 { seen.append(try await get(server).status) }
        #expect(seen == [200, 200, 401, 401, 200, 200])
        server.add(Fault(.status(403), on: "/media/*", method: "HEAD"))
        #expect(try await get(server).status == 200)
    }

    @Test("a slow body takes its time, a late answer comes late")
    func slow() async throws {
        let server = try server([Fault(.slow(bytesPerSecond: 1_000_000), times: 1), Fault(.delay(0.2), after: 1)])
        var start = Clocks.monotonic()
        #expect(try await get(server).body == audio)
        #expect(Clocks.monotonic() - start > 150_000_000)
        start = Clocks.monotonic()
        _ = try await get(server)
        #expect(Clocks.monotonic() - start > 190_000_000)
    }

    @Test("the network goes and comes back on the same port")
    func network() async throws {
        let server = try server()
        _ = try await get(server)
        server.stop()
        await #expect(throws: HTTPError.self) { try await get(server) }
        #expect(server.connectionCount == 0)
        try server.start()
        #expect(try await get(server).status == 200)
    }

    @Test("a write that fails with a status, or is lost, changes nothing")
    func lostWrites() async throws {
        for faults in [[Fault(.status(500))], [Fault(.html())], [Fault(.forgetWrites), Fault(.noAnswer)]] {
            let server = try server(faults)
            var request = HTTPRequest(method: "PUT", url: server.origin + "/api/entries/f1/g/read")
            request.body = Array(#"{"read":true}"#.utf8)
            _ = try? await client.send(request)
            #expect(server.log.all.count == 1 && server.episode("f1", "g")?.isRead == false)
        }
        let done = try server([Fault(.noAnswer)])
        var request = HTTPRequest(method: "PUT", url: done.origin + "/api/entries/f1/g/read")
        request.body = Array(#"{"read":true}"#.utf8)
        _ = try? await client.send(request)
        #expect(done.episode("f1", "g")?.isRead == true)
    }

    @Test("what the firewall would stop is written down as a violation")
    func violations() async throws {
        let server = try DemoServer(library: .threeShows, token: "t", isAPIAddress: true)
        try server.start()
        let bearer = [("Authorization", "Bearer t")]
        for path in ["/", "/admin", "/api/login", "/api/me/", "/api/mean", "/api/feeds/x", "/media", "/api/entries/f1/a:b"] {
            #expect(try await get(server, bearer, path: path).status == 403, "\(path)")
        }
        #expect(try await get(server, path: "/api/me").status == 403)
        #expect(server.log.violations.count == 9)
        #expect(try await get(server, bearer, path: "/api/me").status == 200)
        #expect(try await get(server, [("Authorization", "Bearer x")], path: "/api/me").status == 401)
        #expect(try await get(server, [("Authorization", "Basic eDp5")], path: "/api/me").status == 401)
        #expect(server.log.violations.count == 9)
    }

    @Test(
        "a fault file says everything a test can say",
        arguments: [
            #"{"cut":5}"#, #"{"reset":5}"#, #"{"noAnswer":true}"#, #"{"stall":5}"#, #"{"slow":5}"#, #"{"delay":0.5}"#,
            #"{"overtaken":1}"#, #"{"ignoreRange":true}"#, #"{"refuseRange":406}"#, #"{"ignoreIfRange":true}"#,
            #"{"contentRange":"x"}"#, #"{"chunked":false}"#, #"{"contentLength":0}"#, #"{"contentType":null}"#,
            #"{"gzip":true}"#,
            #"{"status":429,"retryAfter":"5"}"#, #"{"html":true}"#, #"{"html":"audio/mpeg"}"#, #"{"text":"x","type":"y"}"#,
            #"{"halfJSON":true}"#, #"{"emptyList":true}"#, #"{"redirect":"self"}"#, #"{"redirect":"http://a/","code":307}"#,
            #"{"changingValidators":true}"#, #"{"noValidators":true}"#, #"{"dateOffset":-5}"#, #"{"date":null}"#,
            #"{"noVersions":true}"#, #"{"numbersAsStrings":true}"#, #"{"entryFields":{"position":-1}}"#,
            #"{"forgetWrites":true}"#,
        ])
    func faultFile(_ kind: String) throws {
        let text = "[\(kind.dropLast()),\"path\":\"/media/*\",\"method\":\"GET\",\"after\":2,\"times\":3}]"
        let fault = try #require(try Fault.list(json: Array(text.utf8)).first)
        #expect(fault.path == "/media/*" && fault.method == "GET" && fault.spared == 2 && fault.times == 3)
        // The kind's own name leads its description: cut(afterBytes: …), status(…).
        let names = ["reset": "cut"]
        let name = String(kind.dropFirst(2).prefix { $0 != "\"" })
        #expect(String(describing: fault.kind).hasPrefix(names[name] ?? name))
    }

    @Test(
        "a fault file that can't be meant is refused",
        arguments: ["", "{}", "[1]", "[{}]", #"[{"path":"/x"}]"#, #"[{"cut":"x"}]"#])
    func badFaultFile(_ text: String) {
        #expect(throws: FaultFileError.self) { try Fault.list(json: Array(text.utf8)) }
    }

    @Test("a folder of audio becomes a library that can be fetched")
    func folder() async throws {
        let folder = try TestFolder()
        let show = folder.path + "/A show"
        mkdir(show, 0o700)
        defer {
            for name in ["b.mp3", "a.opus", "notes.txt"] { unlink("\(show)/\(name)") }
            rmdir(show)
        }
        for name in ["b.mp3", "a.opus", "notes.txt"] {
            let file = open("\(show)/\(name)", O_WRONLY | O_CREAT, 0o600)
            _ = write(file, name, name.utf8.count)
            close(file)
        }
        let library = DemoLibrary.folder(folder.path)
        #expect(library.shows.map(\.title) == ["A show"])
        #expect(library.shows.first?.episodes.map(\.title) == ["a", "b"])
        let server = try DemoServer(library: library)
        try server.start()
        let url = try #require(library.shows[0].episodes[1].enclosures.first?.url)
        let part = try await get(server, [("Range", "bytes=2-")], path: url)
        #expect(part.body == Array("mp3".utf8) && part.headers["Content-Type"] == "audio/mpeg")
        #expect(DemoLibrary.folder("/nonexistent").shows.isEmpty)
    }
}
