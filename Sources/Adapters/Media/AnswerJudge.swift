import HTTPClient

/// What an answer's head means for the file being filled (pure).
enum AnswerVerdict: Hashable, Sendable {
    /// Its body begins at `offset`. `total` is nil when only a clean end will tell.
    case body(at: Int64, total: Int64?, validator: Validator, allowsRange: Bool?, comparison: Validator.Comparison)
    case refused(FetchRefusal)
}

/// Why an answer is of no use.
enum FetchRefusal: Hashable, Sendable {
    /// `retryAfter` in seconds.
    case status(Int, retryAfter: Double?)
    /// A sign-in form or captive page.
    case page
    case empty
    /// Another edition than the one the part holds.
    case changed
    /// The answer to a Range can't be placed, or Ranges are refused: ask for the whole.
    case rangeUnusable
    /// 416: nothing there; `total` as the answer tells it.
    case beyondEnd(total: Int64?)
}

struct AnswerJudge: Sendable {
    let plan: FetchPlan
    /// Of the bytes that are there already; nil: none are.
    let known: Validator?

    func judge(_ head: HTTPHead) -> AnswerVerdict {
        switch head.status {
        case 200: whole(head)
        case 206: part(head)
        case 416 where plan.start > 0: .refused(.beyondEnd(total: ContentRange(head)?.total))
        // Some servers dislike the very header (PB-05).
        case 406 where plan.usesRange, 416 where plan.usesRange: .refused(.rangeUnusable)
        default: .refused(.status(head.status, retryAfter: RetryAfter.seconds(head)))
        }
    }

    /// A body from the first byte on, whatever was asked for.
    private func whole(_ head: HTTPHead) -> AnswerVerdict {
        let isPacked = Self.isPacked(head)
        // The announced length is the packed one: not to be compared with the bytes we get (NET-13).
        let total = isPacked ? nil : head.contentLength
        if head.contentLength == 0 { return .refused(.empty) }
        let ranges = head.headers["Accept-Ranges"]?.lowercased() == "bytes" && plan.usesRange && plan.start == 0 && !isPacked
        return accept(at: 0, Self.validator(head, total), allowsRange: ranges)
    }

    private func part(_ head: HTTPHead) -> AnswerVerdict {
        guard plan.usesRange, !Self.isPacked(head), let range = ContentRange(head), let first = range.first else {
            return .refused(.rangeUnusable)
        }
        if range.total == 0 { return .refused(.empty) }
        return accept(at: first, Self.validator(head, range.total), allowsRange: true)
    }

    private func accept(at offset: Int64, _ validator: Validator, allowsRange: Bool?) -> AnswerVerdict {
        let comparison = known?.compare(validator) ?? .same
        if comparison == .changed { return .refused(.changed) }
        return .body(
            at: offset, total: validator.total, validator: validator, allowsRange: allowsRange, comparison: comparison)
    }

    private static func validator(_ head: HTTPHead, _ total: Int64?) -> Validator {
        Validator(etag: head.headers["ETag"], lastModified: head.headers["Last-Modified"], total: total)
    }

    private static func isPacked(_ head: HTTPHead) -> Bool {
        guard let encoding = head.headers["Content-Encoding"]?.lowercased() else { return false }
        return encoding != "identity" && !encoding.isEmpty
    }
}

/// `Content-Range: bytes 0-99/200`, `bytes 0-99/*`, `bytes */200` (RFC 9110, section 14.4).
struct ContentRange: Hashable {
    var first: Int64?
    var total: Int64?

    /// 4 TiB: no episode; a place beyond it is nonsense, and sums with it must not overflow.
    private static let limit: Int64 = 1 << 42

    init?(_ head: HTTPHead) {
        guard let text = head.headers["Content-Range"] else { return nil }
        self.init(text)
    }

    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let sides = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        total = Int64(sides[1]).flatMap { (0...Self.limit).contains($0) ? $0 : nil }
        if sides[0] == "*" { return }
        let ends = sides[0].split(separator: "-")
        guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), first >= 0, first <= last,
            last < Self.limit,
            total.map({ last < $0 }) ?? true
        else { return nil }
        self.first = first
    }
}
