import DemoKit
import HeadUnit
import Library
import Linux
import Playback
import Testing

@Suite("The configuration", .timeLimit(.minutes(1)))
struct ConfigurationTests {
    @Test("no file at all: every default of the manual, no complaint")
    func defaults() throws {
        let loaded = try ConfigurationFixture().load()
        #expect(loaded.complaints.isEmpty && loaded.token == nil)
        let printed = loaded.lines.map { "\($0.section) \($0.key)=\($0.value)" }
        #expect(
            printed
                == """
                server address=
                server api-address=
                server token-file=
                server ca-file=
                server proxy=
                server headers-file=
                server order=feed
                player skip-forward=30
                player skip-back=15
                player rate=1.0
                player resume=if-playing
                player rewind=0,3,10,20
                player read-at=90
                player save-every=10
                keep enabled=yes
                keep episodes=10
                keep space=4G
                keep reserve=200M
                keep metered=no
                car volume=40
                car toggle-key=off
                car hold-first-play=5
                car next=skip
                car hold=scan
                car text=utf8
                car layout=episode
                audio server=
                audio fallback=none
                audio buffer=500
                remote enabled=yes
                remote listen=0.0.0.0:8643
                remote name=
                remote announce=yes
                speech enabled=yes
                speech language=en
                log level=info
                """.split(separator: "\n").map(String.init))
    }

    @Test("what `config` prints is a file that means the same")
    func printsItself() throws {
        let fixture = try ConfigurationFixture()
        try fixture.write(
            """
            [server]
            address=https://ipx.example/base
            order=newest
            [player]
            rewind = 0, 1.5, 2 ,3
            rate=1.25
            [keep]
            space=1536M
            [car]
            volume=55
            [car "aa:bb:cc:dd:ee:ff"]
            next=episode
            [buttons]
            device=Steering wheel
            device=/dev/input/event9
            key KEY_NEXTSONG=press:skip+45, hold:episode+
            key BTN_1=hold:add-car
            [audio]
            fallback=alsa_output.jack
            [log]
            level=debug
            """, to: "etc/ipx-car.conf")
        let first = try fixture.load()
        #expect(first.complaints.isEmpty)
        try fixture.write(first.text, to: "etc/ipx-car.conf")
        let second = try fixture.load()
        #expect(second.complaints.isEmpty)
        #expect(second.values == first.values)
        #expect(first.values.player.rewind == [0, 1.5, 2, 3])
        #expect(first.values.keep.space == 1_610_612_736)
        #expect(first.values.buttons.devices == ["Steering wheel", "/dev/input/event9"])
        #expect(first.values.buttons.keys["KEY_NEXTSONG"]?.press == .skip(by: 45))
        #expect(first.values.buttons.keys["BTN_1"]?.hold == .addCar)
    }

    @Test("drop-ins come after the file and in the order of their names, whatever else lies there is left alone")
    func order() throws {
        let fixture = try ConfigurationFixture()
        try fixture.write("[player]\nrate=1.1\nskip-back=11\nskip-forward=11", to: "etc/ipx-car.conf")
        try fixture.write("[player]\nrate=1.3\nskip-back=13", to: "etc/ipx-car.conf.d/20-b.conf")
        try fixture.write("[player]\nrate=1.2", to: "etc/ipx-car.conf.d/10-a.conf")
        for other in [".hidden.conf", "30-c.conf.dpkg-old"] {
            try fixture.write("[player]\nrate=3.0", to: "etc/ipx-car.conf.d/\(other)")
        }
        let loaded = try fixture.load()
        #expect(loaded.values.player.rate == 1.3)
        #expect(loaded.values.player.skipBack == 13 && loaded.values.player.skipForward == 11)
        #expect(loaded.source(of: "player", "rate") == .file(fixture.path("etc/ipx-car.conf.d/20-b.conf"), line: 2))
        #expect(loaded.source(of: "player", "resume") == .standard)
    }

    @Test("--config reads only that file; IPX_CAR_CONFIG too, and the option wins; a missing one is an error")
    func named() throws {
        let fixture = try ConfigurationFixture()
        try fixture.write("[player]\nrate=1.1\nskip-back=20", to: "etc/ipx-car.conf")
        try fixture.write("[player]\nskip-forward=99", to: "etc/ipx-car.conf.d/a.conf")
        try fixture.write("[player]\nrate=2.0", to: "other.conf")
        fixture.environment["IPX_CAR_CONFIG"] = fixture.path("other.conf")
        var player = try fixture.load().values.player
        #expect(player.rate == 2 && player.skipBack == 15 && player.skipForward == 30)
        fixture.options.config = fixture.path("etc/ipx-car.conf")
        player = try fixture.load().values.player
        #expect(player.rate == 1.1 && player.skipForward == 30)
        fixture.options.config = fixture.path("none.conf")
        let missing = ConfigurationError(file: fixture.path("none.conf"), cause: .noSuchFile)
        #expect(throws: missing) { try fixture.load() }
    }

    @Test("an unknown section, an unknown key and a bad value are named with their line, and the default counts")
    func complaints() throws {
        let (values, complaints) = try ConfigurationFixture.loading(
            """
            early=1
            [plyer]
            rate=2.0
            [player]
            rate=fast
            speed=2
            skip-back=0
            resume=IF-PLAYING
            nonsense
            [car "00:11"]
            volume=3
            [keep]
            space=4X
            enabled=maybe
            [buttons]
            key KEY_A=press:fly
            key lower=press:play
            """)
        #expect(values == Configuration())
        #expect(
            complaints == [
                "1: early: stands before any [section]",
                "2: [plyer]: no such section",
                "5: [player] rate: 'fast' is not a number from 0.5 to 3; 1.0 is used",
                "6: [player] speed: no such key",
                "7: [player] skip-back: '0' is not a number of seconds from 1 to 600; 15 is used",
                "8: [player] resume: 'IF-PLAYING' is not one of if-playing, always, never; if-playing is used",
                "9: neither a [section] nor key=value",
                "10: [car \"00:11\"]: no such section",
                "13: [keep] space: '4X' is not a size like 500M or 4G; 4G is used",
                "14: [keep] enabled: 'maybe' is not yes or no; yes is used",
                "16: [buttons] key KEY_A: 'press:fly' is not press:ACTION,hold:ACTION; nothing is used",
                "17: [buttons] key lower: no such key",
            ])
    }

    @Test(
        "values that only look right are refused",
        arguments: [
            "[player]\nrate=nan", "[player]\nrate=0x1p0", "[player]\nrate=3.1", "[player]\nrewind=0,3,10",
            "[player]\nrewind=0,3,10,-1", "[player]\nread-at=101", "[keep]\nepisodes=1.5", "[keep]\nspace=-1",
            "[keep]\nspace=99999999999T", "[car]\nvolume=101", "[remote]\nlisten=8643", "[remote]\nlisten=::1:8643",
            "[remote]\nlisten=0.0.0.0:65536", "[server]\naddress=http://ipx.example", "[server]\nca-file=ca.pem",
            "[log]\nlevel=", "[player]\nrate=", "[speech]\nlanguage=", "[audio]\nbuffer=5",
            "[buttons]\nkey KEY_A=press:play,press:pause", "[buttons]\nkey KEY_A=", "[buttons]\nkey KEY_A=press:skip+0",
        ])
    func refused(_ text: String) throws {
        let (values, complaints) = try ConfigurationFixture.loading(text)
        #expect(complaints.count == 1, "\(complaints)")
        #expect(values == Configuration())
    }

    @Test("a car's own section goes over [car], also when [car] comes later, and reaches the player")
    func cars() throws {
        let (values, complaints) = try ConfigurationFixture.loading(
            """
            [car "AA:BB:CC:DD:EE:FF"]
            next=episode
            hold-first-play=0
            volume=x
            [car]
            next=chapter
            volume=70
            toggle-key=play
            """)
        #expect(complaints.count == 1 && complaints[0].hasSuffix("70 is used"), "\(complaints)")
        let own = values.playerSettings(for: "aa:bb:cc:dd:ee:ff")
        #expect(own.next == .episode && own.holdFirstPlay == 0 && own.toggleKey == .play)
        #expect(values.carSettings(for: "AA:BB:CC:DD:EE:FF").volume == 70)
        #expect(values.playerSettings(for: nil).next == .chapter)
        #expect(values.playerSettings(for: "11:22:33:44:55:66").holdFirstPlay == 5)
    }

    @Test("a password in the server's address is refused, and not repeated")
    func addressWithPassword() throws {
        let fixture = try ConfigurationFixture()
        try fixture.write("[server]\naddress=https://owner:HUNTER2@ipx.example", to: "etc/ipx-car.conf")
        let loaded = try fixture.load()
        #expect(loaded.values.server.address == nil && loaded.complaints.count == 1)
        #expect(!loaded.complaints.description.contains("HUNTER2") && !loaded.text.contains("HUNTER2"))
    }

    @Test("a proxy's password is neither printed nor repeated in a complaint")
    func proxy() throws {
        let fixture = try ConfigurationFixture()
        try fixture.write("[server]\nproxy=http://me:secret@proxy.example:3128", to: "etc/ipx-car.conf")
        try fixture.write("[server]\nproxy=no way secret", to: "etc/ipx-car.conf.d/z.conf")
        #expect(try fixture.load().complaints.count == 1)
        #expect(try !fixture.load().complaints.description.contains("secret"))
        try fixture.write("", to: "etc/ipx-car.conf.d/z.conf")
        let loaded = try fixture.load()
        #expect(loaded.values.server.proxy?.reveal() == "http://me:secret@proxy.example:3128")
        #expect(loaded.text.contains("proxy=http://***@proxy.example:3128"))
        #expect(!loaded.text.contains("secret") && !"\(loaded)".contains("secret"))
    }
}

@Suite("The example file", .timeLimit(.minutes(1)))
struct ExampleFileTests {
    /// `docs/ipx-car.conf`, found from this file.
    private func lines() throws -> [Substring] {
        let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
        let bytes = try SmallFile.read(root + "/docs/ipx-car.conf")
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test("as it is, it changes nothing; with every default line taken in, neither, and each key is there")
    func example() throws {
        let asItIs = try ConfigurationFixture.loading(lines().joined(separator: "\n"))
        #expect(asItIs.values == Configuration() && asItIs.complaints.isEmpty)
        var section = ""
        var keys: Set<String> = []
        var lines: [Substring] = []
        for line in try self.lines() {
            if line.hasPrefix("[") { section = String(line) }
            let isKey = line.hasPrefix("#") && line.dropFirst().first?.isLetter == true && line.contains("=")
            guard isKey, section != "[buttons]", !line.contains("https://ipx.example") else {
                lines.append(line.hasPrefix("#[") ? "" : line)
                continue
            }
            // The one car's own line stands after [car]'s own.
            if keys.insert("\(section)\(line.dropFirst().prefix { $0 != "=" })").inserted { lines.append(line.dropFirst()) }
        }
        let (values, complaints) = try ConfigurationFixture.loading(lines.joined(separator: "\n"))
        #expect(values == Configuration() && complaints.isEmpty, "\(complaints)")
        let shown = try ConfigurationFixture().load().lines
        #expect(keys.count == shown.count - 1)
    }
}
