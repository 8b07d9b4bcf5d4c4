import Library

/// One item of `GET /api/feeds`.
struct WireFeed: Decodable {
    var show: Show

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        guard let id = fields.text(.id) else { throw Unreadable() }
        show = Show(
            id: id, title: fields.text(.title) ?? "", artwork: fields.text(.artwork),
            unread: fields.integer(.unread).flatMap { $0 >= 0 ? Int($0) : nil })
    }
}
