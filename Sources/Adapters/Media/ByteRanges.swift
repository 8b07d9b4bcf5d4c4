/// Which bytes of a file are there: disjoint ranges in order, touching ones joined.
public struct ByteRanges: Hashable, Sendable {
    public private(set) var ranges: [Range<Int64>] = []

    public init() {}

    public init(_ ranges: [Range<Int64>]) {
        for range in ranges { insert(range) }
    }

    public mutating func insert(_ new: Range<Int64>) {
        guard !new.isEmpty else { return }
        let first = ranges.firstIndex { $0.upperBound >= new.lowerBound } ?? ranges.count
        var last = first
        var joined = new
        while last < ranges.count, ranges[last].lowerBound <= new.upperBound {
            joined = min(joined.lowerBound, ranges[last].lowerBound)..<max(joined.upperBound, ranges[last].upperBound)
            last += 1
        }
        ranges.replaceSubrange(first..<last, with: [joined])
    }

    /// Bytes in all.
    public var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// End of the last one.
    public var upperBound: Int64 { ranges.last?.upperBound ?? 0 }

    /// The first byte at or after `offset` that is not there.
    public func firstMissing(from offset: Int64) -> Int64 {
        ranges.first { $0.contains(offset) }?.upperBound ?? offset
    }

    public func contains(_ offset: Int64) -> Bool { firstMissing(from: offset) != offset }

    /// Where the gap that holds the missing byte `offset` ends; nil: nothing comes after it.
    public func gapEnd(from offset: Int64) -> Int64? {
        ranges.first { $0.lowerBound >= offset }?.lowerBound
    }

    /// Everything from 0 to `total`.
    public func isWhole(_ total: Int64) -> Bool { firstMissing(from: 0) >= total }
}
