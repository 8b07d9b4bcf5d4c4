import DBus
import DemoKit
import EventLoop
import Library
import Linux
import Playback
import Testing

@testable import HeadUnit

/// MPRIS as another program meets it: raw calls over a real bus.
@Core
final class Desktop {
    let bus: PrivateBus
    let mpris: MPRISObject
    let client: Connection
    let commands = Told<Command>()
    let signals = Told<BusSignal>()
    let log = Told<String>()
    private let service: Connection
    private let listening: Subscription
    private(set) var volume: Int? = 40
    var hasCar = true

    static let player = "org.mpris.MediaPlayer2.Player"
    static let path: ObjectPath = "/org/mpris/MediaPlayer2"

    init() async throws {
        bus = try await PrivateBus.launch()
        service = try await Connection.open(.address(bus.address))
        client = try await Connection.open(.address(bus.address))
        let signals = signals
        let ready = Told<DBusError?>()
        listening = client.subscribe(MatchRule(path: Self.path), then: { ready.add($0) }) { signals.add($0) }
        guard await comesTrue(within: 5, { !ready.all.isEmpty }) else { throw DemoError("no match rule") }
        let lent = Lent()
        let (commands, log) = (commands, log)
        mpris = MPRISObject(
            .init(
                onCommand: { commands.add($0) }, volume: { lent.desktop?.volume },
                setVolume: { lent.desktop?.setVolume($0) ?? false }, artwork: { _ in "https://box/art.png" },
                clock: Self.now, log: { log.add($0) }))
        lent.desktop = self
        mpris.attach(to: service)
        let owner = Told<String?>()
        let watch = client.watchOwner(of: MPRISObject.name) { owner.add($0) }
        let ours = service.uniqueName
        guard await comesTrue(within: 5, { owner.all.last == ours }) else { throw DemoError("no name") }
        watch.cancel()
    }

    func call(_ member: String, _ arguments: [Value] = [], interface: String = player) async throws -> [Value] {
        try await client.call(MethodCall(MPRISObject.name, Self.path, interface, member, arguments), timeout: 5)
    }

    func get(_ name: String, interface: String = player) async throws -> Value? {
        try await call("Get", [.string(interface), .string(name)], interface: "org.freedesktop.DBus.Properties").first?
            .unwrapped
    }

    func set(_ name: String, _ value: Value) async throws {
        _ = try await call(
            "Set", [.string(Self.player), .string(name), .variant(value)], interface: "org.freedesktop.DBus.Properties")
    }

    /// What was told, as `Seeked 5` or the names of the changed properties.
    func told() async throws -> [String] {
        _ = try await get("PlaybackStatus")
        return signals.all.map { signal in
            if signal.member == "Seeked" { return "Seeked \((signal.arguments[0].asInt64 ?? -1) / 1_000_000)" }
            return signal.arguments[1].asProperties?.map(\.0).joined(separator: " ") ?? ""
        }
    }

    private func setVolume(_ new: Int) -> Bool {
        if hasCar { volume = new }
        return hasCar
    }

    func loseVolume() { volume = nil }

    nonisolated static func now() -> Instant { Instant(nanoseconds: Clocks.monotonic()) }

    @Core
    private final class Lent { weak var desktop: Desktop? }
}

@Suite("MPRIS to the letter", .timeLimit(.minutes(1)))
@Core
struct MPRISTests {
    private func episode(_ title: String, guid: String? = nil) -> Episode {
        Episode(
            id: EpisodeID(server: "s", feed: "7", guid: guid ?? title), title: title, feedTitle: "The Show",
            published: WallTime(milliseconds: 1_714_730_400_000), duration: 3600)
    }

    private func now(
        _ phase: NowPlaying.Phase, _ episode: Episode?, at position: Seconds = 0, rate: Double = 1,
        keepsPlaying: Bool = false
    ) -> NowPlaying {
        NowPlaying(
            phase: phase, episode: episode, duration: episode?.duration, position: position, at: Desktop.now(), rate: rate,
            keepsPlaying: keepsPlaying)
    }

    @Test("every property of the two interfaces is there, in its type")
    func properties() async throws {
        let desktop = try await Desktop()
        desktop.mpris.show(now(.paused, episode("One"), at: 12.5), jumped: true)
        let properties = "org.freedesktop.DBus.Properties"
        let root = try await desktop.call("GetAll", [.string("org.mpris.MediaPlayer2")], interface: properties)
        #expect(
            Set(root[0].asProperties?.map { "\($0.0) \($0.1.type.text)" } ?? []) == [
                "CanQuit b", "CanRaise b", "HasTrackList b", "Identity s", "SupportedUriSchemes as", "SupportedMimeTypes as",
            ])
        let player = try await desktop.call("GetAll", [.string(Desktop.player)], interface: properties)
        #expect(
            Set(player[0].asProperties?.map { "\($0.0) \($0.1.type.text)" } ?? []) == [
                "PlaybackStatus s", "Rate d", "Metadata a{sv}", "Volume d", "Position x", "MinimumRate d", "MaximumRate d",
                "CanGoNext b", "CanGoPrevious b", "CanPlay b", "CanPause b", "CanSeek b", "CanControl b",
            ])
        #expect(player[0]["Position"] == .int64(12_500_000))
        #expect(player[0]["Volume"] == .double(0.4))
        let metadata = player[0]["Metadata"]
        #expect(metadata?["mpris:length"] == .int64(3_600_000_000))
        #expect(metadata?["mpris:artUrl"] == .string("https://box/art.png"))
        #expect(metadata?["xesam:artist"] == .strings(["The Show"]))
        #expect(metadata?["mpris:trackid"]?.type == .objectPath)
    }

    @Test("each method is its command; Stop is not Pause but means it, Seek skips, OpenUri is refused")
    func methods() async throws {
        let desktop = try await Desktop()
        desktop.mpris.show(now(.paused, episode("One")), jumped: true)
        for method in ["Play", "Pause", "PlayPause", "Stop", "Next", "Previous"] { _ = try await desktop.call(method) }
        _ = try await desktop.call("Seek", [.int64(-15_000_000)])
        #expect(desktop.commands.all == [.play, .pause, .toggle, .stop, .next, .previous, .skip(by: -15)])
        await #expect {
            try await desktop.call("OpenUri", [.string("http://x/y.mp3")])
        } throws: {
            ($0 as? DBusError)?.name == "org.freedesktop.DBus.Error.NotSupported"
        }
    }

    @Test("SetPosition acts on the present track only, and only inside of it")
    func setPosition() async throws {
        let desktop = try await Desktop()
        desktop.mpris.show(now(.playing, episode("One")), jumped: true)
        let first = try #require(try await desktop.get("Metadata")?["mpris:trackid"])
        desktop.mpris.show(now(.playing, episode("Two")), jumped: true)
        let second = try #require(try await desktop.get("Metadata")?["mpris:trackid"])
        #expect(first != second)
        for (track, position) in [(first, 100), (second, -1), (second, 3_600_000_001), (second, 100_500_000)] {
            _ = try await desktop.call("SetPosition", [track, .int64(Int64(position))])
        }
        #expect(desktop.commands.all == [.seek(to: 100.5)])
    }

    @Test(
        "two episodes whose ids differ in odd characters only have different track ids",
        arguments: [("a b", "a_b"), ("ü", "u"), ("", "_")])
    func trackIDs(_ one: String, _ other: String) async throws {
        let desktop = try await Desktop()
        var ids: [Value?] = []
        for guid in [one, other] {
            desktop.mpris.show(now(.paused, episode("Same", guid: guid)), jumped: true)
            ids.append(try await desktop.get("Metadata")?["mpris:trackid"])
        }
        #expect(ids[0] != ids[1] && ids[0] != nil && ids[1] != nil)
    }

    @Test("PB-23 the next episode: metadata and status in one change, then at most one Seeked, none from the start")
    func nextEpisode() async throws {
        let desktop = try await Desktop()
        desktop.mpris.show(now(.playing, episode("One"), at: 3599), jumped: true)
        _ = try await desktop.told()
        desktop.signals.all = []
        desktop.mpris.show(now(.loading, episode("Two"), keepsPlaying: true), jumped: true)
        desktop.mpris.show(now(.playing, episode("Two")), jumped: true)
        #expect(try await desktop.told() == ["Metadata"])
        desktop.signals.all = []
        desktop.mpris.show(now(.paused, episode("Three"), at: 1800), jumped: true)
        #expect(try await desktop.told() == ["Metadata PlaybackStatus", "Seeked 1800"])
    }

    @Test("Position is never in PropertiesChanged; a seek is one Seeked; running on, at any speed, is none")
    func seeked() async throws {
        let desktop = try await Desktop()
        let playing = now(.playing, episode("One"), at: 100)
        desktop.mpris.show(playing, jumped: true)
        _ = try await desktop.told()
        desktop.signals.all = []
        func place() -> Seconds { playing.position(at: Desktop.now()) ?? 0 }
        desktop.mpris.show(now(.playing, episode("One"), at: place()), jumped: false)
        desktop.mpris.show(now(.playing, episode("One"), at: place(), rate: 1.5), jumped: true)
        desktop.mpris.show(now(.playing, episode("One"), at: 200, rate: 1.5), jumped: true)
        #expect(try await desktop.told() == ["Rate", "Seeked 200"])
    }

    @Test("a stall is Paused after half a second, by itself")
    func stall() async throws {
        let desktop = try await Desktop()
        desktop.mpris.show(now(.playing, episode("One"), at: 100), jumped: true)
        desktop.mpris.show(now(.buffering, episode("One"), at: 100), jumped: false)
        #expect(try await desktop.get("PlaybackStatus") == .string("Playing"))
        let deadline = MonotonicClock.now + 3
        while try await desktop.get("PlaybackStatus") != .string("Paused"), MonotonicClock.now < deadline {}
        #expect(try await desktop.told().contains("PlaybackStatus"))
        #expect(try await desktop.get("Position") == .int64(100_000_000))
    }

    @Test("no episode: Stopped, no metadata, nothing to pause or seek")
    func idle() async throws {
        let desktop = try await Desktop()
        #expect(try await desktop.get("PlaybackStatus") == .string("Stopped"))
        #expect(try await desktop.get("Metadata") == .properties([]))
        #expect(try await desktop.get("CanSeek") == .boolean(false))
        #expect(try await desktop.get("CanControl") == .boolean(true))
        #expect(try await desktop.get("Position") == .int64(0))
        _ = try await desktop.call("Seek", [.int64(1)])
        #expect(desktop.commands.all.isEmpty)
    }

    @Test("Rate is a wish, 0 means Pause; Volume is N/100, clamped, refused without a car, left out when unknown")
    func rateAndVolume() async throws {
        let desktop = try await Desktop()
        desktop.mpris.show(now(.playing, episode("One")), jumped: true)
        try await desktop.set("Rate", .double(1.5))
        try await desktop.set("Rate", .double(0))
        #expect(desktop.commands.all == [.rate(1.5), .pause])
        try await desktop.set("Volume", .double(0.555))
        #expect(desktop.volume == 56)
        try await desktop.set("Volume", .double(-3))
        #expect(desktop.volume == 0)
        try await desktop.set("Volume", .double(7))
        #expect(desktop.volume == 100)
        desktop.hasCar = false
        await #expect(throws: DBusError.self) { try await desktop.set("Volume", .double(0.1)) }
        await #expect(throws: DBusError.self) { try await desktop.set("PlaybackStatus", .string("Playing")) }
        desktop.loseVolume()
        desktop.mpris.volumeChanged()
        await #expect(throws: DBusError.self) { try await desktop.get("Volume") }
    }

    @Test("playerctl finds us, reads us and drives us")
    func playerctl() async throws {
        let desktop = try await Desktop()
        desktop.mpris.show(now(.paused, episode("One – “Grüße”"), at: 61), jumped: true)
        let address = desktop.bus.address
        #expect(try await run(address, "status") == "Paused\n")
        #expect(
            try await run(
                address, "metadata", "--format", "{{title}}|{{artist}}|{{duration(position)}}|{{duration(mpris:length)}}")
                == "One – “Grüße”|The Show|1:01|1:00:00\n")
        _ = try await run(address, "play")
        _ = try await run(address, "next")
        _ = try await run(address, "position", "30+")
        _ = try await run(address, "position", "100")
        #expect(desktop.commands.all == [.play, .next, .skip(by: 30), .seek(to: 100)])
    }

    private nonisolated func run(_ address: String, _ arguments: String...) async throws -> String {
        // It looks at both buses, and the machine's own is none of ours.
        let own = ["DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": address, "LC_ALL": "C.UTF-8"]
        let environment = ChildProcess.environment.merging(own) { $1 }
        return try ChildProcess.run(["playerctl", "-p", "ipxcar"] + arguments, environment: environment)
    }
}
