/// One request for bytes of a file.
struct FetchPlan: Hashable, Sendable {
    /// The first byte asked for; 0 without a Range.
    var start: Int64
    /// The byte after the last one asked for; nil: to the end.
    var end: Int64?
    var usesRange: Bool

    /// The `Range` header (RFC 9110, section 14.2). `If-Range` is not sent: some servers answer it with 200 for ever (OFF-05),
    /// and the validator of each answer is compared here anyway.
    var rangeHeader: String? {
        guard usesRange else { return nil }
        return "bytes=\(start)-" + (end.map { String($0 - 1) } ?? "")
    }

    /// What to ask for next: where the reader waits, else on from there, else the first gap. Nil: everything is there.
    static func next(present: ByteRanges, total: Int64?, demand: Int64, allowsRange: Bool) -> FetchPlan? {
        if let total, present.isWhole(total) { return nil }
        guard allowsRange else { return FetchPlan(start: 0, end: nil, usesRange: false) }
        var start = present.firstMissing(from: demand)
        if let total, start >= total { start = present.firstMissing(from: 0) }
        return FetchPlan(start: start, end: present.gapEnd(from: start), usesRange: true)
    }
}
