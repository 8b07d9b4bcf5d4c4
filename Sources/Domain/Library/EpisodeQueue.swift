/// What plays after the current episode (product.md, "Queue").
public enum EpisodeQueue {
    /// `[server] order`.
    public enum Order: String, Hashable, Sendable {
        /// The current episode's show first, oldest first, then the others by date.
        case feed
        case oldest
        case newest
    }

    /// The unread entries in playing order, without the current one. Equal dates keep the list's order; unknown ones come last.
    /// `isPlayable` is asked without network: only what is kept can play then.
    public static func ordered(
        _ entries: [Episode], current: Episode?, order: Order, isPlayable: (EpisodeID) -> Bool = { _ in true }
    ) -> [Episode] {
        let unread = entries.enumerated().filter {
            !$0.element.isRead && $0.element.id != current?.id && isPlayable($0.element.id)
        }
        return unread.sorted { precedes($0, $1, current, order) }.map(\.element)
    }

    private typealias Listed = EnumeratedSequence<[Episode]>.Element

    private static func precedes(_ a: Listed, _ b: Listed, _ current: Episode?, _ order: Order) -> Bool {
        if order == .feed, let feed = current?.id.feed, (a.element.id.feed == feed) != (b.element.id.feed == feed) {
            return a.element.id.feed == feed
        }
        guard a.element.published != b.element.published else { return a.offset < b.offset }
        guard let first = a.element.published, let second = b.element.published else { return a.element.published != nil }
        return order == .newest ? first > second : first < second
    }
}
