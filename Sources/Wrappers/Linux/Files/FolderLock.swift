import Glibc

/// A folder that one process has for itself (flock(2)). The kernel takes it back however that process ends, so a cut of power
/// leaves nothing to clean up.
public struct FolderLock: ~Copyable, Sendable {
    private let folder: FileDescriptor

    /// Nanoseconds a process that was just killed may need to be gone altogether.
    private static let patience: Int64 = 3_000_000_000

    /// Throws `Errno.wouldBlock` when another process still has it after three seconds.
    public static func take(_ path: String) throws(Errno) -> FolderLock {
        let folder = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY)
        let number = folder.number
        let deadline = Clocks.monotonic() + patience
        while true {
            do throws(Errno) {
                try check { flock(number, LOCK_EX | LOCK_NB) }
                return FolderLock(folder: folder)
            } catch {
                guard error == .wouldBlock, Clocks.monotonic() < deadline else { throw error }
                usleep(20_000)
            }
        }
    }

    public consuming func release() {}
}
