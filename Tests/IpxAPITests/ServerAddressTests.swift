import Library
import Testing

@Suite("The owner types the server's address", .timeLimit(.minutes(1)))
struct ServerAddressTests {
    @Test(
        "a bare host gets https, and what is needless goes",
        arguments: [
            ("ipx.example.org", "https://ipx.example.org"),
            ("  ipx.example.org/ \n", "https://ipx.example.org"),
            ("IPX.Example.ORG:8443", "https://ipx.example.org:8443"),
            ("https://ipx.example.org:443/", "https://ipx.example.org"),
            ("HTTPS://ipx.example.org./a/b/", "https://ipx.example.org/a/b"),
            ("nas/ipx", "https://nas/ipx"),
            ("[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
            ("93.184.216.34", "https://93.184.216.34"),
            ("xn--bcher-kva.example", "https://xn--bcher-kva.example"),
            ("my_box.lan", "https://my_box.lan"),
            ("https://[fe80::1%25eth0]", "https://[fe80::1%25eth0]"),
        ])
    func normalised(_ text: String, _ url: String) throws {
        #expect(try ServerAddress(text).url == url)
    }

    @Test(
        "plain http on one's own network is taken",
        arguments: [
            "http://127.0.0.1:8080", "http://127.9.9.9", "http://10.0.0.5", "http://172.16.0.1", "http://172.31.255.255",
            "http://192.168.1.2/ipx", "http://169.254.3.4", "http://localhost:3000", "http://ipx.localhost",
            "http://pi.local", "http://pi.living-room.local", "http://[::1]:80", "http://[fd00::5]", "http://[fc12::1]",
            "http://[fe80::1]", "http://[febf::1%25wlan0]", "http://[::ffff:192.168.1.2]",
        ])
    func ownNetwork(_ text: String) throws {
        #expect(try ServerAddress(text).scheme == .http)
    }

    @Test(
        "plain http anywhere else is refused with the host named",
        arguments: [
            "ipx.example.org", "8.8.8.8", "172.15.0.1", "172.32.0.1", "192.169.0.1", "11.0.0.1", "nas", "local",
            "pi.local.example.org", "notlocal", "localhost.example.org", "100.64.0.1", "[2001:db8::1]", "[::2]", "[fec0::1]",
            "[fe00::1]", "[::ffff:8.8.8.8]", "0.0.0.0",
        ])
    func elsewhere(_ host: String) {
        #expect(throws: ServerAddress.Refusal.plainHTTP(host: host)) { try ServerAddress("http://" + host) }
        #expect("\(ServerAddress.Refusal.plainHTTP(host: host))".contains(host))
    }

    @Test(
        "what is no address is refused with the reason",
        arguments: [
            ("", .empty), ("   ", .empty),
            ("ftp://ipx.example.org", .scheme("ftp")), ("file:///etc/passwd", .scheme("file")),
            ("https://me:secret@ipx.example.org", .userInfo), ("https://ipx.example.org@127.0.0.1", .userInfo),
            ("https://", .host("")), ("https:///path", .host("")), ("https://a..b", .host("a..b")),
            ("https://-a.example", .host("-a.example")), ("https://ipx example", .host("ipx example")),
            ("https://bücher.example", .host("bücher.example")),
            ("http://127.1", .host("127.1")), ("http://0x7f.1", .host("0x7f.1")), ("http://2130706433", .host("2130706433")),
            ("http://010.0.0.1", .host("010.0.0.1")), ("http://10.0.0.256", .host("10.0.0.256")),
            ("https://[::1", .host("[::1")), ("https://[1:2]", .host("[1:2]")), ("https://[::1]x", .host("[::1]x")),
            ("https://[1::2::3]", .host("[1::2::3]")), ("https://[12345::]", .host("[12345::]")),
            ("https://[fe80::1%eth0]", .host("[fe80::1%eth0]")),
            ("ipx.example.org:0", .port("0")), ("ipx.example.org:65536", .port("65536")), ("ipx.example.org:", .port("")),
            ("ipx.example.org:+80", .port("+80")),
            ("ipx.example.org/?a=b", .queryOrFragment), ("ipx.example.org#x", .queryOrFragment),
            ("ipx.example.org/a/../b", .path("/a/../b")), ("ipx.example.org/a b", .path("/a b")),
        ] as [(String, ServerAddress.Refusal)])
    func refused(_ text: String, _ reason: ServerAddress.Refusal) {
        #expect(throws: reason) { try ServerAddress(text) }
        #expect(!"\(reason)".contains("secret"))
    }
}
