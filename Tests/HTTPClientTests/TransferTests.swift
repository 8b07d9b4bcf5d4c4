import DemoKit
import Glibc
import Synchronization
import Testing

@testable import HTTPClient

@Suite("Streamed bodies", .timeLimit(.minutes(1)))
struct TransferTests {
    private func demo(_ size: Int) throws -> DemoServer {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let episode = DemoEpisode(
            guid: "g", title: "t", enclosures: [DemoEnclosure(name: "a.mp3", content: .bytes(bytes))])
        let server = try DemoServer(library: DemoLibrary(shows: [DemoShow(id: "f", title: "s", episodes: [episode])]))
        try server.start()
        return server
    }

    @Test("bytes come in order and whole; the end comes once, last")
    func whole() async throws {
        let server = try demo(5_000_000)
        defer { server.stop() }
        let got = Mutex((bytes: 0, sum: 0, ends: 0))
        let ended = AsyncStream<HTTPError?>.makeStream()
        let client = makeClient()
        client.transfer(
            HTTPRequest(url: server.origin + "/media/a.mp3"), onHead: { $0.status == 200 ? .proceed : .stop },
            onBytes: { bytes in
                got.withLock { state in
                    for byte in bytes {
                        if byte != UInt8(truncatingIfNeeded: state.bytes &* 31 >> 3) { state.sum += 1 }
                        state.bytes += 1
                    }
                }
                return .proceed
            },
            onEnd: { error in
                got.withLock { $0.ends += 1 }
                ended.continuation.yield(error)
            })
        var iterator = ended.stream.makeAsyncIterator()
        #expect(await iterator.next() == .some(nil))
        #expect(got.withLock { $0.bytes } == 5_000_000 && got.withLock { $0.sum } == 0 && got.withLock { $0.ends } == 1)
    }

    @Test("paused: the server is held back, and no time runs out; resumed: the rest comes")
    func paused() async throws {
        let server = try demo(30_000_000)
        defer { server.stop() }
        let count = Mutex(0)
        let hasPaused = AsyncStream<Void>.makeStream()
        let ended = AsyncStream<HTTPError?>.makeStream()
        let client = makeClient()
        let transfer = client.transfer(
            HTTPRequest(url: server.origin + "/media/a.mp3", stallTimeout: .milliseconds(100)), onHead: { _ in .proceed },
            onBytes: { bytes in
                count.withLock { $0 += bytes.count }
                guard count.withLock({ $0 }) == bytes.count else { return .proceed }
                hasPaused.continuation.yield()
                return .pause
            }, onEnd: { ended.continuation.yield($0) })
        var pauses = hasPaused.stream.makeAsyncIterator()
        await pauses.next()
        // Long enough for all of it to come if nothing held it back, and for the stall time to pass thrice.
        let until = ContinuousClock.now + .milliseconds(300)
        while ContinuousClock.now < until, count.withLock({ $0 }) < 2_000_000 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(count.withLock { $0 } < 2_000_000)
        transfer.resume()
        var iterator = ended.stream.makeAsyncIterator()
        #expect(await iterator.next() == .some(nil))
        #expect(count.withLock { $0 } == 30_000_000)
    }

    @Test("cancelled or told to stop: it ends as cancelled and hands over nothing more")
    func cancelled() async throws {
        let server = try demo(30_000_000)
        defer { server.stop() }
        let client = makeClient()
        let ended = AsyncStream<HTTPError?>.makeStream()
        let count = Mutex(0)
        client.transfer(
            HTTPRequest(url: server.origin + "/media/a.mp3"), onHead: { _ in .proceed },
            onBytes: { _ in
                count.withLock { $0 += 1 }
                return .stop
            }, onEnd: { ended.continuation.yield($0) })
        var iterator = ended.stream.makeAsyncIterator()
        #expect(await iterator.next() == .some(.cancelled))
        #expect(count.withLock { $0 } == 1)
        server.faults = [Fault(.stall(afterBytes: 1000), on: "*")]
        let first = AsyncStream<Void>.makeStream()
        let transfer = client.transfer(
            HTTPRequest(url: server.origin + "/media/a.mp3"), onHead: { _ in .proceed },
            onBytes: { _ in
                first.continuation.yield()
                return .proceed
            }, onEnd: { ended.continuation.yield($0) })
        var arrivals = first.stream.makeAsyncIterator()
        await arrivals.next()
        transfer.cancel()
        #expect(await iterator.next() == .some(.cancelled))
    }
}

@Suite("Cookies", .timeLimit(.minutes(1)))
struct CookieTests {
    private func jar(_ folder: TemporaryFolder, _ server: ScriptedServer) throws -> Credentials {
        Credentials(origin: try #require(Origin(url: server.origin)), cookieJar: folder.path + "/cookies.txt")
    }

    private func text(_ path: String) -> String {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test("a sign-in's cookie is kept in the jar (0600), sent again by another client, and only to its origin")
    func kept() async throws {
        let folder = try TemporaryFolder("cookies")
        defer { folder.remove() }
        let other = try ScriptedServer { _, _ in .ok() }
        let target = other.origin
        let home = try ScriptedServer { request, _ in
            if request.hasPrefix("POST") { return .ok(headers: ["Set-Cookie: s=abc; Path=/; HttpOnly; Max-Age=1000"]) }
            return request.hasPrefix("GET /away") ? .redirect(target) : .ok()
        }
        let credentials = try jar(folder, home)
        _ = try await makeClient().send(
            HTTPRequest(method: "POST", url: home.origin + "/login", body: Array("u=x".utf8), credentials: credentials))
        let path = try #require(credentials.cookieJar)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(text(path).contains("abc"))
        let client = makeClient()
        _ = try await client.send(HTTPRequest(url: home.origin + "/away", credentials: credentials))
        _ = try await client.send(HTTPRequest(url: other.origin + "/", credentials: credentials))
        #expect(home.requests[1].contains("Cookie: s=abc\r\n"))
        // Cookies know no ports; the origin does.
        #expect(other.requests.count == 2 && other.requests.allSatisfy { !$0.contains("Cookie") })
    }

    @Test("a jar changed by another program is read again; a renewed cookie replaces the old one")
    func changed() async throws {
        let folder = try TemporaryFolder("cookies")
        defer { folder.remove() }
        let home = try ScriptedServer { request, _ in
            request.hasPrefix("GET /renew") ? .ok(headers: ["Set-Cookie: s=new; Path=/"]) : .ok()
        }
        let credentials = try jar(folder, home)
        let path = try #require(credentials.cookieJar)
        let client = makeClient()
        _ = try await client.send(HTTPRequest(url: home.origin + "/", credentials: credentials))
        #expect(!home.requests[0].contains("Cookie"))
        let line = "# Netscape HTTP Cookie File\n#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\ts\told\n# a comment\n"
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        write(file, line, line.utf8.count)
        close(file)
        _ = try await client.send(HTTPRequest(url: home.origin + "/", credentials: credentials))
        #expect(home.requests[1].contains("Cookie: s=old\r\n"))
        _ = try await client.send(HTTPRequest(url: home.origin + "/renew", credentials: credentials))
        _ = try await client.send(HTTPRequest(url: home.origin + "/", credentials: credentials))
        #expect(home.requests[3].contains("Cookie: s=new\r\n"))
        #expect(text(path).contains("new") && !text(path).contains("old"))
        #expect(access(path + ".new", F_OK) != 0)
    }
}
