import RemoteProtocol

extension Verb {
    /// In the order `help` lists them. Computed: Swift 6.0 would give a stored one to the actor of the functions in it.
    static var all: [Verb] {
        [
            Verb("run", "", "the service, in the foreground", options: RunVerb.options, run: RunVerb.run),
            Verb(
                "status", "", "what plays, where, car, network, queue",
                options: [.json, Option(name: "--follow", value: nil, help: "print again at every change")],
                run: StatusVerb.run),
            drive("play", "go on") { _ throws(Failed) in .play },
            drive("pause", "pause and store the place") { _ throws(Failed) in .pause },
            drive("toggle", "play or pause") { _ throws(Failed) in .toggle },
            drive("stop", "pause and store the place") { _ throws(Failed) in .stop },
            drive("next", "as the wheel's Next: skip forward, unless configured otherwise") { _ throws(Failed) in .next },
            drive("previous", "as the wheel's Previous: skip back") { _ throws(Failed) in .previous },
            drive("seek", taking: "[+-]SECONDS|H:MM:SS", "to a place, or on and back by so much") { word throws(Failed) in
                try PlaceArgument.action(word)
            },
            drive("rate", taking: "X", "speed, 0.5 to 3") { word throws(Failed) in
                .rate(to: try number(word, in: 0.5...3))
            },
            drive("volume", taking: "N", "of the car, 0 to 100") { word throws(Failed) in
                .volume(to: Int(try number(word, in: 0...100).rounded()))
            },
            Verb("mute", "[on|off]", "silence, or end it", count: 0...1) { arguments async throws(Failed) in
                try await DriveVerb.send(.mute(to: try isOn(arguments.words.first ?? "on")))
            },
            Verb(
                "select", "EPISODE", "play this one: FEEDID/GUID, a guid, or @N of the queue", count: 1...1,
                run: EpisodeVerb.select),
            Verb(
                "queue", "[move EPISODE N|remove EPISODE|add EPISODE]", "what comes next", count: 0...3, options: [.json],
                run: QueueVerb.run),
            Verb(
                "server", "[URL]", "show or set the ipx server", count: 0...1, options: [.state, .json], run: ServerVerb.run),
            Verb("token", "set|clear", "the player token", count: 1...1, options: TokenVerb.options, run: TokenVerb.run),
            Verb(
                "config", "", "the effective configuration and where each value came from",
                options: [Option(name: "--check", value: nil, help: "exit 1 on any complaint"), .json, .state],
                run: ConfigVerb.run),
            Verb("version", "", "this program's version", options: [.json], run: VersionVerb.run),
            Verb("help", "[VERB]", "this", count: 0...1, run: HelpVerb.run),
        ]
    }

    /// A verb that sends one command to the running service. `words` empty: it takes none.
    private static func drive(
        _ name: String, taking words: String = "", _ help: String,
        action: @escaping @Sendable (String) throws(Failed) -> RemoteAction
    ) -> Verb {
        let count = words.isEmpty ? 0 : 1
        return Verb(name, words, help, count: count...count) { arguments async throws(Failed) in
            try await DriveVerb.send(try action(arguments.words.first ?? ""))
        }
    }
}

private func number(_ word: String, in range: ClosedRange<Double>) throws(Failed) -> Double {
    guard let value = PlaceArgument.decimal(word), range.contains(value) else {
        throw .usage("\(word) is no number from \(plain(range.lowerBound)) to \(plain(range.upperBound))")
    }
    return value
}

private func isOn(_ word: String) throws(Failed) -> Bool {
    guard let value = ["on": true, "off": false][word] else { throw .usage("mute on or mute off, not \(word)") }
    return value
}

/// `3`, `0.5`.
private func plain(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
