import Glibc

/// The kernel's clocks (clock_gettime(2)).
public enum Clocks {
    /// `CLOCK_MONOTONIC` in nanoseconds: since boot, never set, stands still in suspend. All intervals run on it.
    public static func monotonic() -> Int64 {
        let time = read(CLOCK_MONOTONIC)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// `CLOCK_REALTIME` in milliseconds since 1970. May be years off on a box without a clock of its own: for logs only.
    public static func wall() -> Int64 {
        let time = read(CLOCK_REALTIME)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }

    /// The name of this boot (random(4)): monotonic times compare only within one.
    public static func bootID() throws(Errno) -> String {
        let text = String(decoding: try SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 64), as: UTF8.self)
        return String(text.prefix { !$0.isNewline })
    }
}
