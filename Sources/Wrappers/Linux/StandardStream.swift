import Glibc

/// The streams every process starts with, written without a buffer of ours: a reader sees each line at once.
public enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// write(2) until all is written.
    public func write(_ text: String) throws(Errno) {
        let bytes = Array(text.utf8)
        var done = 0
        while done < bytes.count {
            let start = done
            done += try check {
                bytes.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress.map { $0 + start }, $0.count - start) }
            }
        }
    }
}
