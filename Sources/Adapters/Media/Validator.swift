/// What tells one edition of a file from the next: ETag, else Last-Modified and size (RFC 9110, section 8.8).
public struct Validator: Hashable, Sendable {
    public var etag: String?
    public var lastModified: String?
    /// Bytes in all.
    public var total: Int64?

    public init(etag: String? = nil, lastModified: String? = nil, total: Int64? = nil) {
        self.etag = etag
        self.lastModified = lastModified
        self.total = total
    }

    public enum Comparison: Hashable, Sendable {
        case same, changed
        /// Neither says enough: only the bytes themselves can tell.
        case unknown
    }

    public func compare(_ other: Validator) -> Comparison {
        if let total, let theirs = other.total, total != theirs { return .changed }
        if let etag, let theirs = other.etag { return etag == theirs ? .same : .changed }
        if let lastModified, let theirs = other.lastModified {
            if lastModified != theirs { return .changed }
            if total != nil, other.total != nil { return .same }
        }
        return .unknown
    }

    /// Fills in what this answer said and the earlier ones had not.
    func completed(by other: Validator) -> Validator {
        Validator(
            etag: etag ?? other.etag, lastModified: lastModified ?? other.lastModified, total: total ?? other.total)
    }
}
