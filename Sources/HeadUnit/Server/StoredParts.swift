import EventLoop
import Library
import Media
import Storage

/// The fetcher's part records in the store: the two adapters know nothing of each other.
@Core
final class StoredParts: PartRecords {
    private let store: Store

    init(_ store: Store) { self.store = store }

    func load(_ key: String) throws(Failure) -> PartRecord? {
        try store.part(key).map { facts in
            PartRecord(
                present: ByteRanges(facts.present),
                validator: Validator(etag: facts.etag, lastModified: facts.lastModified, total: facts.total))
        }
    }

    func save(_ record: PartRecord, _ key: String) throws(Failure) {
        let validator = record.validator
        try store.setPart(
            PartFacts(
                present: record.present.ranges, etag: validator.etag, lastModified: validator.lastModified,
                total: validator.total), key)
    }

    func delete(_ key: String) throws(Failure) { try store.setPart(nil, key) }
}
