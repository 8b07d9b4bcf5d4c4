import DemoKit
import Glibc
import Testing

@testable import HTTPClient

/// openssl's own test server with certificates made for it.
final class CertificateServer {
    let folder: TemporaryFolder
    let port: Int
    private var server: ChildProcess?

    var authority: String { folder.path + "/ca.pem" }
    var url: String { "https://localhost:\(port)/answer" }

    /// `dates`: notBefore and notAfter as `YYYYMMDDHHMMSSZ`.
    init(name: String = "localhost", dates: (String, String)? = nil) async throws {
        folder = try TemporaryFolder("tls")
        port = try Self.freePort()
        let path = folder.path
        let body = "HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nsafe"
        try Self.write(body, path + "/answer")
        try Self.write("basicConstraints=CA:FALSE\nsubjectAltName=DNS:\(name)\n", path + "/leaf.ext")
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        try run(
            ["req", "-x509"] + key + [
                "-keyout", path + "/ca.key", "-out", authority, "-subj", "/CN=Test authority", "-days", "30",
            ])
        try run(["req"] + key + ["-keyout", path + "/leaf.key", "-out", path + "/leaf.csr", "-subj", "/CN=\(name)"])
        try sign(dates)
        server = try ChildProcess([
            "sh", "-c",
            """
            cd \(path) && exec openssl s_server -accept 127.0.0.1:\(port) -key leaf.key -cert leaf.pem -HTTP -quiet
            """,
        ])
        let port = port
        try #require(await Self.listens(port))
    }

    deinit {
        server?.kill()
        folder.remove()
    }

    /// `openssl ca` is the one that takes dates in the past.
    private func sign(_ dates: (String, String)?) throws {
        let path = folder.path
        try Self.write("", path + "/index.txt")
        try Self.write("01", path + "/serial")
        try Self.write(
            """
            [ca]
            default_ca = c
            [c]
            database = \(path)/index.txt
            serial = \(path)/serial
            new_certs_dir = \(path)
            default_md = sha256
            policy = p
            [p]
            commonName = supplied
            """, path + "/ca.conf")
        let range = dates.map { ["-startdate", $0.0, "-enddate", $0.1] } ?? ["-days", "10"]
        try run(
            [
                "ca", "-batch", "-config", path + "/ca.conf", "-in", path + "/leaf.csr", "-out", path + "/leaf.pem",
                "-cert", authority, "-keyfile", path + "/ca.key", "-extfile", path + "/leaf.ext", "-notext",
            ] + range)
    }

    private func run(_ arguments: [String]) throws {
        let end = try ChildProcess(["openssl"] + arguments).wait()
        try #require(end == .exited(0), "openssl \(arguments[0])")
    }

    private static func write(_ text: String, _ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(file >= 0)
        Glibc.write(file, text, text.utf8.count)
        close(file)
    }

    private static func freePort() throws -> Int {
        let server = try ScriptedServer { _, _ in .ok() }
        server.stop()
        return Int(server.port)
    }

    private static func listens(_ port: Int) async -> Bool {
        let client = makeClient()
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            if case .connect? = await failure(client, HTTPRequest(url: "https://localhost:\(port)/answer")) {
                // A look costs a thread and a connection; openssl wants the processor too.
                try? await Task.sleep(for: .milliseconds(50))
                continue
            }
            return true
        }
        return false
    }
}

@Suite("Certificates are always checked", .timeLimit(.minutes(1)))
struct CertificateTests {
    private func client(trusting file: String?) -> HTTPClient { HTTPClient(.init(userAgent: "x", caFile: file)) }

    @Test("a private authority: trusted when its file is configured, untrusted when not")
    func privateAuthority() async throws {
        let server = try await CertificateServer()
        let response = try await client(trusting: server.authority).send(HTTPRequest(url: server.url))
        #expect(response.body == Array("safe".utf8))
        guard case .tls(.untrusted, _)? = await failure(client(trusting: nil), HTTPRequest(url: server.url)) else {
            Issue.record("trusted a stranger")
            return
        }
    }

    @Test(
        "NET-07 not yet valid or expired: told as a matter of dates",
        arguments: [
            ("20000101000000Z", "20010101000000Z"), ("21200101000000Z", "21210101000000Z"),
        ])
    func dates(dates: (String, String)) async throws {
        let server = try await CertificateServer(dates: dates)
        let error = await failure(client(trusting: server.authority), HTTPRequest(url: server.url))
        guard case .tls(.certificateDate, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a trusted certificate for another name is refused")
    func otherName() async throws {
        let server = try await CertificateServer(name: "elsewhere.example")
        guard case .tls(.untrusted, _)? = await failure(client(trusting: server.authority), HTTPRequest(url: server.url))
        else {
            Issue.record("accepted")
            return
        }
    }

    @Test("the authority's file is missing: a failure, never an unchecked connection")
    func missingFile() async throws {
        let server = try await CertificateServer()
        #expect(await failure(client(trusting: "/nowhere/ca.pem"), HTTPRequest(url: server.url)) != nil)
    }
}
