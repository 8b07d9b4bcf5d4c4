/// How much of an episode's file is here.
public struct FetchProgress: Hashable, Sendable {
    /// Bytes.
    public var done: Int64
    /// Bytes in all; nil: the server doesn't tell.
    public var total: Int64?
    /// Whole, and lasting.
    public var isKept: Bool

    public init(done: Int64, total: Int64?, isKept: Bool) {
        self.done = done
        self.total = total
        self.isKept = isKept
    }
}
