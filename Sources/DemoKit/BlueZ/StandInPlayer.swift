import DBus

/// What bluetoothd makes of a registered player: its parsing, its own clock, and the events it sends to the car.
///
/// Follows BlueZ 5.66 (`profiles/audio/media.c`): entries in order, the first wrong type ends it; any Metadata sets the position
/// to 0; while Playing the position counts on at 1×; a length is never cleared by leaving it out.
struct StandInPlayer {
    let sender: String
    let path: ObjectPath
    private(set) var status: String?
    private(set) var track: [String: String] = [:]
    /// Milliseconds, 32 bits; 0 is unknown.
    private(set) var duration: UInt32 = 0
    private(set) var identity: String?
    private(set) var flags: Set<String> = []
    /// Offered settings: `Shuffle`, `LoopStatus`.
    private(set) var settings: [String: String] = [:]
    private var anchor: UInt32 = 0
    private var anchoredAt: Double

    /// For AVRCP notifications; none are sent before the registration is done.
    private(set) var events: [CarEvent.Kind] = []

    init(sender: String, path: ObjectPath, now: Double) {
        self.sender = sender
        self.path = path
        anchoredAt = now
    }

    /// What GetPlayStatus answers, milliseconds.
    func position(at now: Double) -> UInt32 {
        guard status?.lowercased() == "playing" else { return anchor }
        return anchor &+ UInt32(truncatingIfNeeded: Int64(max(0, now - anchoredAt) * 1000))
    }

    mutating func takeEvents() -> [CarEvent.Kind] {
        defer { events = [] }
        return events
    }

    /// False at the first entry of a wrong type; those before have been taken, the rest is lost.
    mutating func take(_ properties: [(String, Value)], at now: Double) -> Bool {
        properties.allSatisfy { take($0.0, $0.1, at: now) }
    }

    /// The `Seeked` signal, or a Position among the properties.
    mutating func seek(_ value: Value, at now: Double) -> Bool {
        guard case .int64(let microseconds) = value else { return false }
        // Read as unsigned and cut to 32 bits, as a negative one shows.
        let new = UInt32(truncatingIfNeeded: UInt64(bitPattern: microseconds) / 1000)
        let isForward = new > position(at: now)
        anchor = new
        anchoredAt = now
        if new == 0 {
            events.append(.reachedStart)
        } else if new == .max || new >= duration {
            events.append(.reachedEnd)
        } else {
            events.append(isForward ? .forwardSeek : .reverseSeek)
            events.append(.status(status ?? ""))
        }
        return true
    }

    private mutating func take(_ name: String, _ value: Value, at now: Double) -> Bool {
        switch name {
        case "PlaybackStatus": return setStatus(value, at: now)
        case "Position": return seek(value, at: now)
        case "Metadata": return setTrack(value, at: now)
        case "Shuffle": return setShuffle(value)
        case "LoopStatus": return setLoop(value)
        case "Identity": return setIdentity(value)
        case "CanPlay", "CanPause", "CanGoNext", "CanGoPrevious", "CanControl": return setFlag(name, value)
        default: return true
        }
    }

    private mutating func setStatus(_ value: Value, at now: Double) -> Bool {
        guard let new = value.asString else { return false }
        guard new != status else { return true }
        anchor = position(at: now)
        anchoredAt = now
        status = new
        events.append(.status(new))
        return true
    }

    private mutating func setFlag(_ name: String, _ value: Value) -> Bool {
        guard let isSet = value.asBoolean else { return false }
        if isSet { flags.insert(name) } else { flags.remove(name) }
        return true
    }

    private mutating func setIdentity(_ value: Value) -> Bool {
        identity = value.asString ?? identity
        return value.asString != nil
    }

    private mutating func setShuffle(_ value: Value) -> Bool {
        guard let isSet = value.asBoolean else { return false }
        settings["Shuffle"] = isSet ? "alltracks" : "off"
        return true
    }

    private mutating func setLoop(_ value: Value) -> Bool {
        let words = ["none": "off", "track": "singletrack", "playlist": "alltracks"]
        guard let text = value.asString, let word = words[text.lowercased()] else { return false }
        settings["LoopStatus"] = word
        return true
    }
}

extension StandInPlayer {
    /// Keys of another type end it in the middle: what came before is shown already, the position is not reset.
    private mutating func setTrack(_ value: Value, at now: Double) -> Bool {
        guard let entries = value.asEntries else { return false }
        track = [:]
        for entry in entries {
            guard let key = entry.key.asString, case .variant(let inner) = entry.value else { return false }
            guard setTrackEntry(key.lowercased(), inner) else { return false }
        }
        if track["Title"] == nil { track["Title"] = "" }
        anchor = 0
        anchoredAt = now
        events += [.trackChanged, .reachedStart]
        return true
    }

    private mutating func setTrackEntry(_ key: String, _ value: Value) -> Bool {
        switch key {
        case "xesam:title": return setText("Title", value.asString)
        case "xesam:album": return setText("Album", value.asString)
        case "xesam:artist": return setFirst("Artist", value)
        case "xesam:genre": return setFirst("Genre", value)
        case "mpris:length": return setLength(value)
        case "xesam:tracknumber": return setNumber(value)
        default: return true
        }
    }

    private mutating func setText(_ key: String, _ text: String?) -> Bool {
        if let text { track[key] = text }
        return text != nil
    }

    /// The first entry of an `as` is used; an empty list says nothing.
    private mutating func setFirst(_ key: String, _ value: Value) -> Bool {
        guard let texts = value.asArray else { return false }
        return texts.isEmpty || setText(key, texts[0].asString)
    }

    private mutating func setLength(_ value: Value) -> Bool {
        let microseconds: UInt64
        switch value {
        case .int64(let number): microseconds = UInt64(bitPattern: number)
        case .uint64(let number): microseconds = number
        default: return false
        }
        duration = UInt32(truncatingIfNeeded: microseconds / 1000)
        track["Duration"] = String(microseconds / 1000)
        return true
    }

    private mutating func setNumber(_ value: Value) -> Bool {
        switch value {
        case .int32(let number): track["TrackNumber"] = String(UInt32(bitPattern: number))
        case .uint32(let number): track["TrackNumber"] = String(number)
        default: return false
        }
        return true
    }
}
