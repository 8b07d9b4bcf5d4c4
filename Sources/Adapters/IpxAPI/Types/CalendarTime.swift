import Library

/// A moment of the proleptic Gregorian calendar in UTC. Of our own, since the parsers of FoundationEssentials before 6.2 know a
/// date either with or without a fraction, and none knows HTTP's form.
struct CalendarTime {
    var year: Int
    /// 1…12
    var month: Int
    /// 1…31
    var day: Int
    var hour = 0
    var minute = 0
    /// 0…60: a leap second counts as the next one.
    var second = 0
    var millisecond = 0

    /// Nil when a field is out of its range; years 1970…9999.
    var wall: WallTime? {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...Self.days(year, month)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let seconds = ((Self.daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
        return WallTime(milliseconds: Int64(seconds) * 1000 + Int64(millisecond))
    }

    private static func days(_ year: Int, _ month: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Counts years from March, so that the leap day is a year's last, in eras of 400 years (146 097 days).
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let (era, yearOfEra) = (marchYear / 400, marchYear % 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
    }

    /// The year 9999's last millisecond.
    private static let last: Int64 = 253_402_300_799_999

    /// Undoes `wall`; outside 1970…9999 the nearest moment in it.
    init(_ wall: WallTime) {
        let milliseconds = min(max(0, wall.milliseconds), Self.last)
        let days = Int((Double(milliseconds) / 86_400_000).rounded(.down))
        let rest = Int(milliseconds - Int64(days) * 86_400_000)
        let sinceMarch0 = days + 719_468
        let era = Int((Double(sinceMarch0) / 146_097).rounded(.down))
        let dayOfEra = sinceMarch0 - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60)
        (second, millisecond) = (rest / 1000 % 60, rest % 1000)
    }
}
