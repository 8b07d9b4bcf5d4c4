import Glibc

/// CLOCK_MONOTONIC in seconds: what captures and tests of time are stamped with.
public enum MonotonicClock {
    public static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
