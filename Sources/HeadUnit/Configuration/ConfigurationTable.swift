import Linux
import Playback

/// All keys but `[buttons]`' and the cars' own sections, in the order they are printed. The defaults are those of the
/// structs they live in.
struct ConfigurationSection: Sendable {
    let name: String
    let keys: [Key<Configuration>]

    static let all: [ConfigurationSection] = [
        .init(
            name: "server",
            keys: [
                Key(optional: "address", \.server.address, .address),
                Key(optional: "api-address", \.server.apiAddress, .address),
                Key(optional: "token-file", \.server.tokenFile, .path),
                Key(optional: "ca-file", \.server.caFile, .path),
                Key(optional: "proxy", \.server.proxy, .proxy),
                Key(optional: "headers-file", \.server.headersFile, .path),
                Key("order", \.server.order, .choice),
            ]),
        .init(
            name: "player",
            keys: [
                Key("skip-forward", \.player.skipForward, .seconds(1...600)),
                Key("skip-back", \.player.skipBack, .seconds(1...600)),
                Key("rate", \.player.rate, .rate),
                Key("resume", \.player.resume, .choice),
                Key("rewind", \.player.rewind, .rewind),
                Key("read-at", \.player.readAt, .number(1...100)),
                Key("save-every", \.player.saveEvery, .seconds(1...600)),
            ]),
        .init(
            name: "keep",
            keys: [
                Key("enabled", \.keep.isEnabled, .yesNo),
                Key("episodes", \.keep.episodes, .whole(0...1000)),
                Key("space", \.keep.space, .size),
                Key("reserve", \.keep.reserve, .size),
                Key("metered", \.keep.usesMetered, .yesNo),
            ]),
        .init(name: "car", keys: CarSettings.keys.map { $0.inside(\.car) }),
        .init(
            name: "audio",
            keys: [
                Key(optional: "server", \.audio.server, .word),
                Key(optional: "fallback", \.audio.fallback, .word, none: "none"),
                Key("buffer", \.audio.buffer, .whole(20...5000, unit: " of milliseconds")),
            ]),
        .init(
            name: "remote",
            keys: [
                Key("enabled", \.remote.isEnabled, .yesNo),
                Key("listen", \.remote.listen, .listen),
                Key(optional: "name", \.remote.name, .word),
                Key("announce", \.remote.isAnnounced, .yesNo),
            ]),
        .init(
            name: "speech",
            keys: [
                Key("enabled", \.speech.isEnabled, .yesNo),
                Key("language", \.speech.language, .word),
            ]),
        .init(name: "log", keys: [Key("level", \.log.level, .logLevel)]),
    ]
}

extension CarSettings {
    /// The same for `[car]` and `[car "AA:BB:CC:DD:EE:FF"]`.
    static let keys: [Key<CarSettings>] = [
        Key("volume", \.volume, .whole(0...100)),
        Key("toggle-key", \.toggleKey, .choice),
        Key("hold-first-play", \.holdFirstPlay, .seconds(0...60)),
        Key("next", \.next, .choice),
        Key("hold", \.hold, .choice),
        Key("text", \.text, .choice),
        Key("layout", \.layout, .choice),
    ]
}

extension Key {
    /// The same key of a value that is part of a larger one.
    func inside<Outer>(_ path: WritableKeyPath<Outer, Root> & Sendable) -> Key<Outer> {
        Key<Outer>(
            name: name, hint: hint, read: { read($0, &$1[keyPath: path]) }, write: { write($0[keyPath: path]) })
    }

    private init(
        name: String, hint: String, read: @escaping @Sendable (String, inout Root) -> Bool,
        write: @escaping @Sendable (Root) -> String
    ) {
        self.name = name
        self.hint = hint
        self.read = read
        self.write = write
    }
}
