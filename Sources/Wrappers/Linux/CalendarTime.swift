import Glibc

/// A moment of the Gregorian calendar in UTC, as gmtime(3) and timegm(3) count. The parsers of FoundationEssentials before
/// Swift 6.2 know a date either with or without a fraction, and none knows HTTP's form.
public struct CalendarTime: Hashable, Sendable {
    public var year: Int
    /// 1…12
    public var month: Int
    /// 1…31
    public var day: Int
    public var hour = 0
    public var minute = 0
    /// 0…60: a leap second counts as the next one.
    public var second = 0
    public var millisecond = 0

    /// The years of `milliseconds`, and what text has room for.
    private static let years = 1970...9999
    /// 1970-01-01 to the last millisecond of 9999.
    private static let moments: ClosedRange<Int64> = 0...253_402_300_799_999

    public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
    }

    /// `milliseconds` since 1970; outside the years 1970…9999 the nearest moment in them.
    public init(milliseconds: Int64) {
        let milliseconds = min(max(milliseconds, Self.moments.lowerBound), Self.moments.upperBound)
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        self.init(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday), hour: Int(parts.tm_hour),
            minute: Int(parts.tm_min), second: Int(parts.tm_sec), millisecond: Int(milliseconds % 1000))
    }

    /// Since 1970. Nil when there is no such day or time of day, or the year is outside 1970…9999.
    public var milliseconds: Int64? {
        guard Self.years.contains(year), (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        let midnight = timegm(&parts)
        // A day that its month does not have comes back as one of the next month.
        guard parts.tm_mday == day else { return nil }
        return (Int64(midnight) + Int64((hour * 60 + minute) * 60 + second)) * 1000 + Int64(millisecond)
    }
}
