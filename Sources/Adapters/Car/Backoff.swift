import Library

/// Ever longer waits, up to a longest.
struct Backoff: Hashable {
    private let longest: Seconds
    private let shortest: Seconds
    private var next: Seconds

    init(from shortest: Seconds, to longest: Seconds) {
        self.shortest = shortest
        self.longest = longest
        next = shortest
    }

    mutating func wait() -> Seconds {
        defer { next = min(next * 2, longest) }
        return next
    }

    mutating func reset() { next = shortest }
}
