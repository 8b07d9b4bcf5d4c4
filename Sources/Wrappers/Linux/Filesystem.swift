import CSystemd

/// What a folder lies on (statfs(2)).
public enum Filesystem {
    /// FAT, exFAT: rename is not atomic there and nothing is journaled, so no state may live on it.
    public static func isFAT(_ path: String) throws(Errno) -> Bool {
        // MSDOS_SUPER_MAGIC (vfat too) and EXFAT_SUPER_MAGIC of linux/magic.h.
        [0x4d44, 0x2011_BAB0].contains(Int(try status(path).f_type))
    }

    /// Bytes that the service's user may still write.
    public static func free(_ path: String) throws(Errno) -> Int64 {
        let status = try status(path)
        return Int64(status.f_bavail) * Int64(status.f_bsize)
    }

    private static func status(_ path: String) throws(Errno) -> statfs {
        var status = statfs()
        try check { statfs(path, &status) }
        return status
    }
}
