import EventLoop
import Library

/// What is known of a file that is not whole yet. It never claims a byte that a cut of power could have taken: saved after the
/// bytes were synced.
public struct PartRecord: Hashable, Sendable {
    public var present: ByteRanges
    public var validator: Validator

    public init(present: ByteRanges, validator: Validator) {
        self.present = present
        self.validator = validator
    }
}

/// Where part records outlive the process; keys are file names (hexadecimal digits). Without a record a part starts over.
@Core
public protocol PartRecords: AnyObject, Sendable {
    func load(_ key: String) throws(Failure) -> PartRecord?
    func save(_ record: PartRecord, _ key: String) throws(Failure)
    func delete(_ key: String) throws(Failure)
}

/// Records for this run alone: after it, parts start over.
@Core
public final class TransientPartRecords: PartRecords {
    private var records: [String: PartRecord] = [:]

    public init() {}

    public func load(_ key: String) -> PartRecord? { records[key] }
    public func save(_ record: PartRecord, _ key: String) { records[key] = record }
    public func delete(_ key: String) { records[key] = nil }
}
