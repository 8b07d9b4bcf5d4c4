import DemoKit
import HeadUnit
import Library
import Linux
import Testing

@Suite("Where server and token come from", .timeLimit(.minutes(1)))
struct PrecedenceTests {
    @Test("the server: option, then state folder, then file, then none")
    func server() throws {
        let fixture = try ConfigurationFixture()
        #expect(try fixture.load().values.server.address == nil)
        try fixture.write("[server]\naddress=file.example", to: "etc/ipx-car.conf")
        #expect(try fixture.load().values.server.address?.url == "https://file.example")
        try fixture.write("https://state.example\n", to: "state/server")
        var loaded = try fixture.load()
        #expect(loaded.values.server.address?.url == "https://state.example")
        #expect(loaded.source(of: "server", "address") == .value(fixture.path("state/server")))
        fixture.options.server = try ServerAddress("option.example")
        loaded = try fixture.load()
        #expect(loaded.values.server.address?.url == "https://option.example")
        #expect(loaded.source(of: "server", "address") == .option("--server"))
    }

    @Test("a spoilt STATE/server is named and the file's address counts")
    func spoilt() throws {
        let fixture = try ConfigurationFixture()
        try fixture.write("[server]\naddress=file.example", to: "etc/ipx-car.conf")
        try fixture.write("http://public.example", to: "state/server")
        let loaded = try fixture.load()
        #expect(loaded.values.server.address?.url == "https://file.example")
        #expect(loaded.complaints.map(\.file) == [fixture.path("state/server")])
    }

    @Test("the token: credential, then token-file, then state folder; it is never printed")
    func token() throws {
        let fixture = try ConfigurationFixture()
        let files = StateFiles(folder: fixture.path("state"))
        try files.write(Secret("from-state"), to: .token)
        #expect(try SmallFile.mode(of: files.path(.token)) == 0o600)
        #expect(try fixture.load().token?.value.reveal() == "from-state")
        try fixture.write("from-file\n", to: "token")
        try fixture.write("[server]\ntoken-file=\(fixture.path("token"))", to: "etc/ipx-car.conf")
        #expect(try fixture.load().token?.value.reveal() == "from-file")
        try fixture.write("  from-credential\r\nmore", to: "ipx-token")
        fixture.environment["CREDENTIALS_DIRECTORY"] = fixture.folder.path
        let loaded = try fixture.load()
        #expect(loaded.token?.value.reveal() == "from-credential")
        #expect(loaded.text.contains("# token: set, from \(fixture.path("ipx-token"))"))
        #expect(!loaded.text.contains("from-credential") && !"\(loaded)".contains("from-credential"))
    }

    @Test("an empty or missing token file is passed over, and the next place is asked")
    func emptyToken() throws {
        let fixture = try ConfigurationFixture()
        try fixture.write("[server]\ntoken-file=\(fixture.path("none"))", to: "etc/ipx-car.conf")
        try fixture.write("\n", to: "state/token")
        #expect(try fixture.load().token == nil)
        try fixture.write("t\n", to: "state/token")
        #expect(try fixture.load().token?.value.reveal() == "t")
    }

    @Test("where the token is sent: the state folder's address goes over api-address")
    func tokenAddress() throws {
        let fixture = try ConfigurationFixture()
        try fixture.write("[server]\napi-address=api.file.example", to: "etc/ipx-car.conf")
        #expect(try fixture.load().values.server.apiAddress?.url == "https://api.file.example")
        try fixture.write("https://api.state.example", to: "state/token-address")
        #expect(try fixture.load().values.server.apiAddress?.url == "https://api.state.example")
    }

    @Test("folders: option, then the service manager's, then the usual ones")
    func folders() {
        var options = RunOptions()
        #expect(Folders(options, environment: { _ in nil }).state == "/var/lib/ipx-car")
        #expect(Folders(options, environment: { _ in nil }).cache == "/var/cache/ipx-car")
        #expect(Folders(options, environment: { "/x/\($0)" }).cache == "/x/CACHE_DIRECTORY")
        options.state = "/s"
        #expect(Folders(options, environment: { "/x/\($0)" }).state == "/s")
    }

    @Test("options of run go over the file and say so")
    func options() throws {
        let fixture = try ConfigurationFixture()
        try fixture.write("[remote]\nlisten=[::]:9000\n[log]\nlevel=error", to: "etc/ipx-car.conf")
        #expect(try fixture.load().values.remote.listen.host == "::")
        fixture.options.listen = ListenAddress("127.0.0.1:0")
        fixture.options.logLevel = .debug
        let loaded = try fixture.load()
        #expect(loaded.values.remote.listen.port == 0 && loaded.values.log.level == .debug)
        #expect(loaded.source(of: "log", "level") == .option("--log-level"))
    }
}

@Suite("Addresses of servers", .timeLimit(.minutes(1)))
struct ServerAddressTests {
    @Test(
        "a bare host gets https://, a slash at the end goes",
        arguments: [
            ("ipx.example", "https://ipx.example"), ("ipx.example:8443", "https://ipx.example:8443"),
            ("https://ipx.example/pods/", "https://ipx.example/pods"), ("HTTPS://IPX.example", "https://ipx.example"),
            ("192.168.1.5", "https://192.168.1.5"), ("[fe80::1]", "https://[fe80::1]"),
        ])
    func bare(_ text: String, _ url: String) throws {
        #expect(try ServerAddress(text).url.lowercased() == url)
    }

    @Test(
        "plain http within one's own network",
        arguments: [
            "http://127.0.0.1:8080", "http://localhost", "http://10.1.2.3", "http://172.16.0.1", "http://172.31.255.255",
            "http://192.168.0.9/ipx", "http://169.254.3.4", "http://box.local", "http://box.local.:80", "http://[::1]:8080",
            "http://[fd00::1]", "http://[fe80::1]", "http://a.localhost",
        ])
    func ownNetwork(_ text: String) throws {
        #expect(try ServerAddress(text).url.hasPrefix("http://"))
    }

    @Test(
        "plain http elsewhere is refused with the reason",
        arguments: [
            "http://ipx.example", "http://8.8.8.8", "http://172.32.0.1", "http://100.64.0.1", "http://192.169.0.1",
            "http://nas", "http://local", "http://10.0.0.1.example", "http://[2001:db8::1]", "http://[ff02::1]",
            "http://127.0.0.1.nip.example", "http://xlocalhost", "http://192.0.2.1",
        ])
    func elsewhere(_ text: String) {
        #expect { try ServerAddress(text) } throws: { "\($0)".contains("use https://") }
    }

    @Test(
        "what is no address",
        arguments: [
            "", "   ", "ftp://ipx.example", "https://", "https://a b", "javascript:alert(1)", "https://me:pw@ipx.example",
            "https://ipx.example?x=1", "file:///etc/passwd",
        ])
    func none(_ text: String) {
        #expect(throws: ServerAddress.Refusal.self) { try ServerAddress(text) }
    }
}
