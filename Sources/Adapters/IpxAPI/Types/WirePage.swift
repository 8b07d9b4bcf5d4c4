/// One page of entries: an object with `entries` and `next`, or a bare list.
struct WirePage: Decodable {
    /// Nil for an item that can't be read.
    var entries: [WireEntry?]
    var next: String?

    init(from decoder: any Decoder) throws {
        if let fields = try? decoder.container(keyedBy: Field.self) {
            // Without the list it isn't a page: a wrong shape must not pass for an empty one.
            entries = try fields.decode([Readable<WireEntry>].self, forKey: .entries).map(\.value)
            next = fields.text(.next)
        } else {
            entries = try decoder.singleValueContainer().decode([Readable<WireEntry>].self).map(\.value)
        }
    }
}
