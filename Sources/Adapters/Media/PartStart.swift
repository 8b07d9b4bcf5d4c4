import EventLoop
import Library
import Linux

/// What a fetch begins with: the part an earlier run left, as far as its record can vouch for it, or an empty one.
@Core
enum PartStart {
    static func state(
        of key: MediaKey, in folder: Directory, _ records: any PartRecords
    ) throws -> EpisodeFile.State {
        if let record = try? records.load(key.fileName), let left = leftOver(key, in: folder, record) { return left }
        try records.delete(key.fileName)
        return EpisodeFile.State(file: try RandomAccessFile.create(folder.path(of: key.partName)))
    }

    private static func leftOver(_ key: MediaKey, in folder: Directory, _ record: PartRecord) -> EpisodeFile.State? {
        let path = folder.path(of: key.partName)
        guard let file = try? RandomAccessFile.open(path, writable: true), let size = try? file.size(),
            record.present.count > 0, record.present.upperBound <= size,
            record.validator.total.map({ record.present.upperBound <= $0 }) ?? true
        else { return nil }
        return EpisodeFile.State(
            file: file, present: record.present, total: record.validator.total, validator: record.validator)
    }
}
