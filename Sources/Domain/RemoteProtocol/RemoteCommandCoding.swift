import Library

// Tolerant of what it does not know (unknown fields are ignored), strict with what it does: a known field of the wrong type
// or out of its range makes the whole command invalid, for half a wish must not be obeyed.

private enum Field: String, CodingKey {
    case id, cmd, to, by, target, on, move, remove, add, episode, seq
}

private typealias Fields = KeyedDecodingContainer<Field>

extension RemoteCommand: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let id = try fields.decode(String.self, forKey: .id)
        guard (1...128).contains(id.utf8.count) else { throw RemoteProtocolError("id: 1 to 128 bytes") }
        let word = try fields.decode(String.self, forKey: .cmd)
        guard let verb = Verb(rawValue: word) else { throw RemoteProtocolError("cmd: no such command") }
        self.init(
            id: id, action: try RemoteAction(verb, fields),
            episode: try fields.decodeIfPresent(EpisodeTarget.self, forKey: .episode),
            seq: try fields.decodeIfPresent(Int.self, forKey: .seq))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(action.verb.rawValue, forKey: .cmd)
        try action.encodeArguments(to: &fields)
        try fields.encodeIfPresent(episode, forKey: .episode)
        try fields.encodeIfPresent(seq, forKey: .seq)
    }
}

extension RemoteAction {
    fileprivate init(_ verb: Verb, _ fields: Fields) throws {
        switch verb {
        case .play: self = .play
        case .pause: self = .pause
        case .toggle: self = .toggle
        case .stop: self = .stop
        case .next: self = .next
        case .previous: self = .previous
        case .nextEpisode: self = .nextEpisode
        case .previousEpisode: self = .previousEpisode
        case .seek: self = .seek(to: try fields.number(.to, in: 0...Self.secondsLimit))
        case .skip: self = .skip(by: try fields.number(.by, in: -Self.secondsLimit...Self.secondsLimit))
        case .rate: self = .rate(to: min(max(try fields.number(.to, in: 0.01...100), 0.5), 3))
        case .volume: self = .volume(to: Int(try fields.number(.to, in: 0...100).rounded()))
        case .mute: self = .mute(to: try fields.decode(Bool.self, forKey: .to))
        case .select: self = .select(try fields.target())
        case .keep: self = .keep(try fields.target(), on: try fields.decode(Bool.self, forKey: .on))
        case .queue: self = .queue(try fields.target(), try fields.queueChange())
        }
    }

    /// Longer than any episode; keeps every later sum far from where doubles lose their seconds.
    private static var secondsLimit: Seconds { 1e7 }

    var verb: Verb {
        switch self {
        case .play: .play
        case .pause: .pause
        case .toggle: .toggle
        case .stop: .stop
        case .next: .next
        case .previous: .previous
        case .nextEpisode: .nextEpisode
        case .previousEpisode: .previousEpisode
        case .seek: .seek
        case .skip: .skip
        case .rate: .rate
        case .volume: .volume
        case .mute: .mute
        case .select: .select
        case .keep: .keep
        case .queue: .queue
        }
    }

    fileprivate func encodeArguments(to fields: inout KeyedEncodingContainer<Field>) throws {
        switch self {
        case .seek(let to), .rate(let to): try fields.encode(to, forKey: .to)
        case .skip(let by): try fields.encode(by, forKey: .by)
        case .volume(let to): try fields.encode(to, forKey: .to)
        case .mute(let to): try fields.encode(to, forKey: .to)
        case .select(let target): try fields.encode(target, forKey: .target)
        case .keep(let target, let on):
            try fields.encode(target, forKey: .target)
            try fields.encode(on, forKey: .on)
        case .queue(let target, let change):
            try fields.encode(target, forKey: .target)
            switch change {
            case .move(let place): try fields.encode(place, forKey: .move)
            case .remove: try fields.encode(true, forKey: .remove)
            case .add: try fields.encode(true, forKey: .add)
            }
        default: break
        }
    }
}

extension Fields {
    fileprivate func number(_ key: Field, in range: ClosedRange<Double>) throws -> Double {
        let value = try decode(Double.self, forKey: key)
        guard range.contains(value) else { throw RemoteProtocolError("\(key.rawValue): out of range") }
        return value
    }

    fileprivate func target() throws -> EpisodeTarget { try decode(EpisodeTarget.self, forKey: .target) }

    /// Exactly one of `move`: place, `remove`: true, `add`: true.
    fileprivate func queueChange() throws -> RemoteAction.QueueChange {
        let place = try decodeIfPresent(Int.self, forKey: .move)
        let isRemoved = try decodeIfPresent(Bool.self, forKey: .remove) ?? false
        let isAdded = try decodeIfPresent(Bool.self, forKey: .add) ?? false
        switch (place, isRemoved, isAdded) {
        case (let place?, false, false) where place >= 1: return .move(to: place)
        case (nil, true, false): return .remove
        case (nil, false, true): return .add
        default: throw RemoteProtocolError("queue: one of move, remove, add")
        }
    }
}
