import Library

/// Body of `PUT …/position`: every field that progress is derived from, also when unknown (then null), so that the page never
/// has half a record.
struct WirePosition: Encodable {
    var record: PositionRecord
    var at: WallTime
    var device: String

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        let duration = record.duration.flatMap { $0 > 0 && $0 <= Episode.longest ? $0 : nil }
        try fields.encode(record.enclosure, forKey: .enc)
        try fields.encode(Self.rounded(min(max(0, record.position), duration ?? .infinity)), forKey: .position)
        try fields.encode(duration.map(Self.rounded), forKey: .duration)
        try fields.encode(ISODate.text(at), forKey: .at)
        try fields.encodeIfPresent(record.baseVersion, forKey: .version)
        try fields.encode(device, forKey: .device)
    }

    /// To milliseconds: what no ear can tell.
    private static func rounded(_ seconds: Seconds) -> Seconds { (seconds * 1000).rounded() / 1000 }
}

/// Body of `PUT …/read`.
struct WireRead: Encodable {
    var isRead: Bool
    var at: WallTime

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(isRead, forKey: .read)
        try fields.encode(ISODate.text(at), forKey: .at)
    }
}

/// What a PUT is answered with.
struct WireWritten: Decodable {
    var version: Int?
    var updated: WallTime?

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        // An object without any of these is some other page's.
        guard [.position, .read, .version].contains(where: { fields.contains($0) }) else { throw Unreadable() }
        version = fields.integer(.version).map { Int($0) }
        updated = fields.time(.updated)
    }
}
