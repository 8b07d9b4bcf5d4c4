import Library

/// `GET /api/me`, as far as the box uses it.
public struct ServerUser: Hashable, Sendable {
    /// Who the server is: `server`, else `id`. First part of every `EpisodeID`.
    public var identity: String
    public var name: String?
    /// Unread entries; nil when the server doesn't count.
    public var unread: Int?
    /// 0.5…3.
    public var rate: Double?
    public var skipForward: Seconds?
    public var skipBack: Seconds?
}

extension ServerUser: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        guard let identity = fields.text(.server) ?? fields.text(.id) else { throw Unreadable() }
        self.identity = identity
        name = fields.text(.name)
        unread = fields.integer(.unread).flatMap { $0 >= 0 ? Int($0) : nil }
        let settings = try? fields.nestedContainer(keyedBy: Field.self, forKey: .settings)
        rate = Plausible.rate(settings?.number(.rate))
        skipForward = Plausible.skip(settings?.seconds(.skipForward))
        skipBack = Plausible.skip(settings?.seconds(.skipBack))
    }
}
