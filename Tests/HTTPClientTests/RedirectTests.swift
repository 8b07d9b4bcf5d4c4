import Testing

@testable import HTTPClient

@Suite("Redirects and credentials", .timeLimit(.minutes(1)))
struct RedirectTests {
    private func credentials(_ server: ScriptedServer, bearer: String = "secret") throws -> Credentials {
        Credentials(
            origin: try #require(Origin(url: server.origin)), bearer: bearer, extraHeaders: [("CF-Access-Client-Id", "id")])
    }

    private func isSigned(_ request: String) -> Bool {
        let hasBearer = request.contains("Authorization: Bearer secret\r\n")
        let hasService = request.contains("CF-Access-Client-Id: id\r\n")
        #expect(hasBearer == hasService)
        return hasBearer
    }

    @Test("NET-01 a redirect to another host: the token, the service headers and the caller's own stay behind")
    func otherHost() async throws {
        let there = try ScriptedServer("127.0.0.2") { _, _ in .ok("audio") }
        let target = there.origin + "/file"
        let home = try ScriptedServer { _, _ in .redirect(target) }
        let request = HTTPRequest(
            url: home.origin + "/ep", headers: [("Range", "bytes=7-"), ("Cookie", "a=b")],
            credentials: try credentials(home))
        let response = try await makeClient().send(request)
        #expect(response.body == Array("audio".utf8) && response.finalURL == target)
        #expect(isSigned(home.requests[0]) && home.requests[0].contains("Cookie: a=b"))
        #expect(!isSigned(there.requests[0]) && !there.requests[0].contains("Cookie"))
        #expect(there.requests[0].contains("Range: bytes=7-"))
    }

    @Test("NET-01 another port of the same host is another origin; so is a request that never was for ours")
    func otherPort() async throws {
        let there = try ScriptedServer { _, _ in .ok() }
        let target = there.origin
        let home = try ScriptedServer { _, _ in .redirect(target) }
        let client = makeClient()
        _ = try await client.send(HTTPRequest(url: home.origin, credentials: try credentials(home)))
        _ = try await client.send(HTTPRequest(url: there.origin, credentials: try credentials(home)))
        #expect(there.requests.count == 2 && !there.requests.contains(where: isSigned))
    }

    @Test("NET-03 a redirect within the origin stays signed in", arguments: [301, 302, 303, 307, 308])
    func sameOrigin(status: Int) async throws {
        let home = try ScriptedServer { request, _ in
            request.hasPrefix("GET /ep/5 ") ? .redirect("/ep/5/", status: status) : .ok()
        }
        _ = try await makeClient().send(HTTPRequest(url: home.origin + "/ep/5", credentials: try credentials(home)))
        #expect(home.requests.count == 2 && home.requests.allSatisfy(isSigned))
        #expect(home.requests[1].hasPrefix("GET /ep/5/ "))
    }

    @Test("NET-04 off the origin and back: what was dropped is not taken up again")
    func thereAndBack() async throws {
        let back = LateTarget()
        let there = try ScriptedServer("127.0.0.2") { _, _ in .redirect(back.url) }
        let target = there.origin + "/over-here"
        let home = try ScriptedServer { request, _ in request.hasPrefix("GET /start") ? .redirect(target) : .ok() }
        back.url = home.origin + "/end"
        _ = try await makeClient().send(HTTPRequest(url: home.origin + "/start", credentials: try credentials(home)))
        #expect(isSigned(home.requests[0]) && !isSigned(there.requests[0]))
        #expect(home.requests[1].hasPrefix("GET /end") && !isSigned(home.requests[1]))
    }

    @Test("NET-05 a loop ends after 8 hops")
    func loop() async throws {
        let home = try ScriptedServer { _, _ in .redirect("/again") }
        #expect(await failure(makeClient(), HTTPRequest(url: home.origin + "/again")) == .redirectLoop)
        #expect(home.requests.count == 9)
    }

    @Test("a redirect to another scheme is refused", arguments: ["ftp://host/x", "file:///etc/passwd", "http://"])
    func otherScheme(location: String) async throws {
        let home = try ScriptedServer { _, _ in .redirect(location) }
        #expect(await failure(makeClient(), HTTPRequest(url: home.origin)) == .refusedRedirect(.notHTTP))
    }

    @Test("a redirect's own body is read over, and the connection used again")
    func bodyOfARedirect() async throws {
        let home = try ScriptedServer { _, number in
            number == 0 ? .text("HTTP/1.1 302 Go\r\nLocation: /b\r\nContent-Length: 5\r\n\r\nmoved") : .ok("here")
        }
        #expect(try await makeClient().send(HTTPRequest(url: home.origin)).body == Array("here".utf8))
    }

    @Test("303 turns a PUT into a GET, 307 keeps it, and a body never goes to another origin")
    func methods() async throws {
        let there = try ScriptedServer("127.0.0.2") { _, _ in .ok() }
        let target = there.origin
        let home = try ScriptedServer { request, _ in
            switch request.split(separator: " ")[1] {
            case "/see": .redirect("/other", status: 303)
            case "/keep": .redirect("/other", status: 307)
            case "/away": .redirect(target, status: 307)
            case "/post-away": .redirect(target, status: 302)
            default: .ok()
            }
        }
        let client = makeClient()
        func ask(_ method: String, _ path: String) -> HTTPRequest {
            HTTPRequest(method: method, url: home.origin + path, body: Array("body".utf8))
        }
        _ = try await client.send(ask("PUT", "/see"))
        #expect(home.requests[1].hasPrefix("GET /other") && !home.requests[1].hasSuffix("body"))
        _ = try await client.send(ask("PUT", "/keep"))
        #expect(home.requests[3].hasPrefix("PUT /other") && home.requests[3].hasSuffix("body"))
        #expect(await failure(client, ask("PUT", "/away")) == .refusedRedirect(.bodyToOtherOrigin))
        #expect(there.requests.isEmpty)
        _ = try await client.send(ask("POST", "/post-away"))
        #expect(there.requests.count == 1 && there.requests[0].hasPrefix("GET / ") && !there.requests[0].hasSuffix("body"))
    }

    @Test("from a public address never to a private one, by name or by number; from a private one everywhere")
    func intoPrivateNetwork() async throws {
        let inside = try ScriptedServer("127.0.0.2") { _, _ in .ok("inside") }
        let target = inside.origin
        let outside = try ScriptedServer("127.0.0.3") { _, _ in .redirect(target) }
        // Only loopback is at hand: 127.0.0.3 stands for the public network.
        let client = HTTPClient(.init(userAgent: "x")) { $0 == "127.0.0.3" ? .publicNetwork : .ownNetwork }
        let refused = HTTPError.refusedRedirect(.intoPrivateNetwork)
        #expect(await failure(client, HTTPRequest(url: outside.origin)) == refused)
        #expect(inside.requests.isEmpty)
        // Also when a connection to it is open already.
        #expect(try await client.send(HTTPRequest(url: inside.origin)).body == Array("inside".utf8))
        #expect(await failure(client, HTTPRequest(url: outside.origin)) == refused)
        #expect(inside.requests.count == 1)
        let home = HTTPClient(.init(userAgent: "x")) { _ in .ownNetwork }
        #expect(try await home.send(HTTPRequest(url: outside.origin)).body == Array("inside".utf8))
    }

    @Test("https to http is refused in a chain that began with credentials, and allowed without")
    func downgrade() throws {
        let origin = Origin(scheme: "https", host: "ipx.example", port: 443)
        var signed = try RedirectChain(
            HTTPRequest(url: "https://ipx.example/a", credentials: Credentials(origin: origin, bearer: "x")))
        #expect(signed.carriesCredentials)
        try signed.follow(status: 302, location: "https://cdn.example/b")
        #expect(!signed.carriesCredentials)
        #expect(throws: HTTPError.refusedRedirect(.insecure)) {
            try signed.follow(status: 302, location: "http://cdn.example/b")
        }
        var plain = try RedirectChain(HTTPRequest(url: "https://cdn.example/a"))
        try plain.follow(status: 302, location: "http://cdn.example/b")
        #expect(plain.url.string == "http://cdn.example/b")
        var named = try RedirectChain(HTTPRequest(url: "https://user:word@cdn.example/a"))
        #expect(throws: HTTPError.refusedRedirect(.insecure)) {
            try named.follow(status: 302, location: "http://cdn.example/b")
        }
    }
}

/// A URL known only after the script that names it was written.
final class LateTarget: @unchecked Sendable {
    var url = ""
}

@Suite("URLs, origins and addresses")
struct AddressTests {
    @Test("origins are compared without case and with their default port")
    func origins() throws {
        #expect(Origin(url: "HTTPS://Example.ORG/x") == Origin(scheme: "https", host: "example.org", port: 443))
        #expect(Origin(url: "http://example.org:80") == Origin(url: "http://example.org/"))
        #expect(Origin(url: "http://example.org") != Origin(url: "https://example.org"))
        #expect(Origin(url: "https://example.org:8443") != Origin(url: "https://example.org"))
        #expect(Origin(url: "https://[2001:DB8::1]:8443/")?.description == "https://[2001:db8::1]:8443")
        #expect(Origin(url: "ftp://example.org") == nil && Origin(url: "example.org") == nil)
    }

    @Test("references are resolved as browsers do")
    func resolving() throws {
        let base = try #require(HTTPURL("https://ipx.example/media/a.mp3?x=1#there"))
        #expect(base.string == "https://ipx.example/media/a.mp3?x=1")
        #expect(base.resolving("/b.mp3")?.string == "https://ipx.example/b.mp3")
        #expect(base.resolving("b c.mp3")?.string == "https://ipx.example/media/b%20c.mp3")
        #expect(base.resolving("//cdn.example/b")?.string == "https://cdn.example/b")
        #expect(base.resolving("http://cdn.example/b")?.origin.scheme == "http")
        #expect(base.withoutSecrets == "https://ipx.example/media/a.mp3")
    }

    @Test(
        "own networks are told from the public one",
        arguments: [
            "127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255", "::1", "::", "fe80::1%eth0", "fd00::1", "fec0::1", "ff02::1", "::ffff:192.168.1.1",
            "64:ff9b::a00:1", "nonsense", "",
        ])
    func ownNetworks(address: String) { #expect(AddressScope.of(address) == .ownNetwork) }

    @Test(
        "public addresses",
        arguments: [
            "8.8.8.8", "172.32.0.1", "172.15.0.1", "100.128.0.1", "192.167.1.1", "2001:4860:4860::8888", "::ffff:8.8.8.8",
            "64:ff9b::808:808",
        ])
    func publicNetworks(address: String) { #expect(AddressScope.of(address) == .publicNetwork) }
}
