/// What the service says of itself (`GetState`), as far as the demo shows it. Read by the documented field names alone, so that
/// the demo sees what any client would.
public struct ServiceState: Hashable, Sendable {
    public var phase: String
    public var reason: String?
    public var title: String?
    public var show: String?
    public var chapters: [Double: String] = [:]
    public var network: String?
    public var message: String?
    public var volume: Int?
    public var isMuted = false
    public var hasSink = false
    public var queued = 0

    public init(phase: String) { self.phase = phase }

    /// Nil for what is no state.
    public init?(json: String) {
        guard let state = JSONValue(bytes: Array(json.utf8)), let phase = state["phase"]?.string else { return nil }
        self.phase = phase
        reason = state["reason"]?.string
        title = state["episode"]?["title"]?.string
        show = state["episode"]?["feedTitle"]?.string
        for chapter in state["episode"]?["chapters"]?.array ?? [] {
            if let start = chapter["start"]?.number, let title = chapter["title"]?.string { chapters[start] = title }
        }
        network = state["network"]?.string
        message = state["message"]?.string
        volume = state["volume"]?.number.map { Int($0) }
        isMuted = state["muted"]?.bool ?? false
        hasSink = state["car"]?["sink"]?.bool ?? false
        queued = state["queue"]?.array?.count ?? 0
    }

    /// The chapter at a place; nil without chapters.
    public func chapter(at position: Double) -> String? {
        chapters.filter { $0.key <= position + 0.5 }.max { $0.key < $1.key }?.value
    }
}
