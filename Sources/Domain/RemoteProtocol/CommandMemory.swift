/// The answers to the last commands, so that one sent again after a lost answer runs nothing and hears the same.
/// Not kept across a restart (docs/protocol).
public struct CommandMemory: Sendable {
    public static let limit = 1000

    private var answers: [String: RemoteReply] = [:]
    /// The ids in the order they came, as a ring once it is full.
    private var ids: [String] = []
    private var oldest = 0

    public init() {}

    /// Nil: never seen, so it may run.
    public func answer(to id: String) -> RemoteReply? { answers[id] }

    /// Call once per command that was judged or ran. A second answer to one id is not taken: the first was sent.
    public mutating func remember(_ reply: RemoteReply) {
        guard let id = reply.id, answers[id] == nil else { return }
        answers[id] = reply
        guard ids.count == Self.limit else { return ids.append(id) }
        answers[ids[oldest]] = nil
        ids[oldest] = id
        oldest = (oldest + 1) % Self.limit
    }
}
