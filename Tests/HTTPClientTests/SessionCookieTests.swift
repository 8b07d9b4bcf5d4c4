import DemoKit
import Glibc
import HTTPClient
import Testing

@Suite("A session's cookie", .timeLimit(.minutes(1)))
struct SessionCookieTests {
    private let login = DemoLogin(user: "u", password: "p")

    @Test("given at sign-in into a jar that didn't exist, it is sent from then on, by another client too")
    func newJar() async throws {
        var template = Array("/tmp/ipx-cookies.XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let jar = folder + "/cookies.txt"
        defer {
            unlink(jar)
            rmdir(folder)
        }
        let server = try DemoServer(library: DemoLibrary(), token: "t", login: login)
        try server.start()
        let origin = try #require(Origin(url: server.origin))
        let credentials = Credentials(origin: origin, cookieJar: jar)
        let first = HTTPClient(HTTPClient.Configuration(userAgent: "test"))
        let me = HTTPRequest(url: server.origin + "/api/me", credentials: credentials)
        #expect(try await first.send(me).status == 401)
        let signIn = HTTPRequest(
            method: "POST", url: server.origin + "/api/login", body: Array("user=u&password=p".utf8),
            credentials: credentials)
        #expect(try await first.send(signIn).status == 204)
        #expect(try await first.send(me).status == 200)
        let second = HTTPClient(HTTPClient.Configuration(userAgent: "test"))
        #expect(try await second.send(me).status == 200)
        #expect(try await second.send(HTTPRequest(url: server.origin + "/api/me")).status == 401)
        var info = stat()
        #expect(stat(jar, &info) == 0 && info.st_mode & 0o777 == 0o600)
    }
}
