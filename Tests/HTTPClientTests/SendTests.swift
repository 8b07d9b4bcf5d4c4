import Glibc
import Testing

@testable import HTTPClient

func makeClient() -> HTTPClient { HTTPClient(.init(userAgent: "ipx-car/1.2.3")) }

/// The error of a request that has to fail.
func failure(_ client: HTTPClient, _ request: HTTPRequest, bodyLimit: Int = 1 << 20) async -> HTTPError? {
    do throws(HTTPError) {
        _ = try await client.send(request, bodyLimit: bodyLimit)
        return nil
    } catch {
        return error
    }
}

@Suite("One request", .timeLimit(.minutes(1)))
struct SendTests {
    @Test("an answer comes with status, headers, date and body")
    func answer() async throws {
        let server = try ScriptedServer { _, _ in
            .ok("hello", headers: ["Date: Sun, 06 Nov 1994 08:49:37 GMT", "X-Two: a", "x-two:  b "])
        }
        let response = try await makeClient().send(HTTPRequest(url: server.origin + "/a?b=c"))
        #expect(response.status == 200 && response.body == Array("hello".utf8))
        #expect(response.date == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(response.headers.all("X-TWO") == ["a", "b"] && response.headers["nothing"] == nil)
        #expect(response.finalURL == server.origin + "/a?b=c")
    }

    @Test("says who it is, asks for identity, sends no surprise headers")
    func requestHead() async throws {
        let server = try ScriptedServer { _, _ in .ok() }
        let client = makeClient()
        _ = try await client.send(HTTPRequest(url: server.origin + "/x", headers: [("Range", "bytes=5-")]))
        _ = try await client.send(HTTPRequest(method: "PUT", url: server.origin + "/y", body: Array("{\"a\":1}".utf8)))
        let get = try #require(server.requests.first)
        #expect(get.hasPrefix("GET /x HTTP/1.1\r\n"))
        for line in ["Accept-Encoding: identity", "User-Agent: ipx-car/1.2.3", "Range: bytes=5-"] {
            #expect(get.contains("\r\n\(line)\r\n"))
        }
        let put = try #require(server.requests.last)
        #expect(put.hasPrefix("PUT /y ") && put.hasSuffix("\r\n\r\n{\"a\":1}") && put.contains("Content-Length: 7"))
        #expect(!put.contains("Expect:") && !put.contains("Content-Type:"))
    }

    @Test("an empty PUT and a HEAD are what they say")
    func emptyBody() async throws {
        let server = try ScriptedServer { request, _ in
            request.hasPrefix("HEAD") ? .text("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n") : .ok()
        }
        let client = makeClient()
        _ = try await client.send(HTTPRequest(method: "PUT", url: server.origin + "/y", body: []))
        let head = try await client.send(HTTPRequest(method: "HEAD", url: server.origin + "/z"))
        #expect(server.requests[0].contains("Content-Length: 0"))
        #expect(server.requests[1].hasPrefix("HEAD /z") && head.head.contentLength == 999 && head.body.isEmpty)
    }

    @Test("an interim answer is not the answer")
    func interim() async throws {
        let server = try ScriptedServer { _, _ in
            .text("HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let response = try await makeClient().send(HTTPRequest(url: server.origin))
        #expect(response.status == 200 && response.headers["X-Early"] == nil && response.body == Array("ok".utf8))
    }

    @Test("a body shorter than announced is cut short, not an answer")
    func cutByLength() async throws {
        let server = try ScriptedServer { _, _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", close: true) }
        guard case .cutShort = await failure(makeClient(), HTTPRequest(url: server.origin)) else {
            Issue.record("taken for whole")
            return
        }
    }

    @Test("PB-06 chunked without the last chunk is cut short")
    func cutChunked() async throws {
        let server = try ScriptedServer { _, _ in
            .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", close: true)
        }
        guard case .cutShort = await failure(makeClient(), HTTPRequest(url: server.origin)) else {
            Issue.record("taken for whole")
            return
        }
    }

    @Test("no answer at all, and something that is not HTTP")
    func noAnswer() async throws {
        let silent = try ScriptedServer { _, _ in .text("", close: true) }
        let odd = try ScriptedServer { _, _ in .text("hello, who is there?\r\n", close: true) }
        guard case .cutShort = await failure(makeClient(), HTTPRequest(url: silent.origin)),
            case .malformed = await failure(makeClient(), HTTPRequest(url: odd.origin))
        else {
            Issue.record("not told apart")
            return
        }
    }

    @Test("nobody listens: no connection, and the text names no path or query")
    func refused() async throws {
        let server = try ScriptedServer { _, _ in .ok() }
        server.stop()
        let error = try #require(await failure(makeClient(), HTTPRequest(url: server.origin + "/secret?token=abc")))
        guard case .connect = error else {
            Issue.record("\(error)")
            return
        }
        #expect(error.isOffline && !error.description.contains("secret") && !error.description.contains("abc"))
    }

    @Test("a name that does not exist has no address")
    func noName() async {
        guard case .dns = await failure(makeClient(), HTTPRequest(url: "http://nowhere.invalid/", timeout: .seconds(20)))
        else {
            Issue.record("resolved")
            return
        }
    }

    @Test("silence is given up after the stall time; a slow whole after its own")
    func silence() async throws {
        let server = try ScriptedServer { _, _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1") }
        let start = ContinuousClock.now
        let stalled = HTTPRequest(url: server.origin, stallTimeout: .milliseconds(200))
        #expect(await failure(makeClient(), stalled) == .stalled)
        let whole = HTTPRequest(url: server.origin, timeout: .milliseconds(200), stallTimeout: nil)
        #expect(await failure(makeClient(), whole) == .timeout)
        let took = ContinuousClock.now - start
        #expect(took >= .milliseconds(400) && took < .seconds(20))
    }

    @Test("a body over the limit is refused")
    func tooLarge() async throws {
        let server = try ScriptedServer { _, _ in .ok(String(repeating: "x", count: 1001)) }
        #expect(await failure(makeClient(), HTTPRequest(url: server.origin), bodyLimit: 1000) == .bodyTooLarge(limit: 1000))
        #expect(await failure(makeClient(), HTTPRequest(url: server.origin), bodyLimit: 1001) == nil)
    }

    @Test(
        "what is no http URL, and what would break a line of the head, is never sent",
        arguments: [
            "ftp://host/", "file:///etc/passwd", "/path", "host", "http://", "http://ho st/", "https://[::1", "",
        ])
    func badURL(url: String) async {
        #expect(await failure(makeClient(), HTTPRequest(url: url)) == .badURL)
    }

    @Test("a header with a line break in it is refused")
    func injectedHeader() async throws {
        let server = try ScriptedServer { _, _ in .ok() }
        let origin = try #require(Origin(url: server.origin))
        let own = HTTPRequest(url: server.origin, headers: [("X", "a\r\nY: b")])
        let bearer = HTTPRequest(url: server.origin, credentials: Credentials(origin: origin, bearer: "a\nb"))
        for request in [own, bearer, HTTPRequest(method: "GET /\r\n", url: server.origin)] {
            guard case .badRequest = await failure(makeClient(), request) else {
                Issue.record("sent")
                return
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test("a cancelled task ends its request at once")
    func cancelled() async throws {
        let server = try ScriptedServer { _, _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1") }
        let client = makeClient()
        let task = Task { await failure(client, HTTPRequest(url: server.origin)) }
        while server.requests.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure(client, HTTPRequest(url: server.origin))
        }
        #expect(await late.value == .cancelled)
    }

    @Test("a client that is dropped ends what it has running")
    func dropped() async throws {
        let server = try ScriptedServer { _, _ in .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1") }
        var client: HTTPClient? = makeClient()
        let ended = AsyncStream<HTTPError?>.makeStream()
        client?.transfer(
            HTTPRequest(url: server.origin), onHead: { _ in .proceed }, onBytes: { _ in .proceed },
            onEnd: { ended.continuation.yield($0) })
        while server.requests.isEmpty { await Task.yield() }
        client = nil
        var iterator = ended.stream.makeAsyncIterator()
        #expect(await iterator.next() == .some(.cancelled))
    }

    @Test("the environment's proxy is never used")
    func noProxyFromEnvironment() async throws {
        for name in ["http_proxy", "HTTP_PROXY", "ALL_PROXY"] { setenv(name, "http://127.0.0.1:9/", 1) }
        defer { for name in ["http_proxy", "HTTP_PROXY", "ALL_PROXY"] { unsetenv(name) } }
        let server = try ScriptedServer { _, _ in .ok() }
        #expect(try await makeClient().send(HTTPRequest(url: server.origin)).status == 200)
    }

    @Test("the configured proxy is used, also for our own host")
    func proxy() async throws {
        let proxy = try ScriptedServer { _, _ in .ok("by proxy") }
        let client = HTTPClient(.init(userAgent: "x", proxy: proxy.origin))
        let response = try await client.send(HTTPRequest(url: "http://127.0.0.1:9/there"))
        #expect(response.body == Array("by proxy".utf8))
        #expect(proxy.requests.first?.hasPrefix("GET http://127.0.0.1:9/there HTTP/1.1") == true)
    }

    @Test("NET-13 packed although identity was asked for: unpacked")
    func packed() async throws {
        // gzip of "hello hello hello\n", made by gzip(1).
        let body: [UInt8] = [
            0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0x02, 0xff, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x90, 0x5c, 0, 0x3b,
            0x7c, 0x8a, 0xdf, 0x12, 0, 0, 0,
        ]
        let server = try ScriptedServer { _, _ in
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"
            return .bytes(Array(head.utf8) + body, close: false)
        }
        let response = try await makeClient().send(HTTPRequest(url: server.origin))
        #expect(String(decoding: response.body, as: UTF8.self) == "hello hello hello\n")
    }

    @Test("two hundred requests side by side on one thread all come back")
    func many() async throws {
        let server = try ScriptedServer { request, _ in .ok(String(request.split(separator: " ")[1])) }
        let client = makeClient()
        let bodies = await withTaskGroup(of: String?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let response = try? await client.send(HTTPRequest(url: server.origin + "/\(number)"))
                    return response.map { String(decoding: $0.body, as: UTF8.self) }
                }
            }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(bodies == Set((0..<200).map { "/\($0)" }))
    }
}
