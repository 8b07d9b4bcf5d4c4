import Library

/// A day of the Gregorian calendar in UTC: the box knows no time zone.
struct CalendarDate: Hashable, CustomStringConvertible {
    var year: Int
    var month: Int
    var day: Int

    init(_ time: WallTime) {
        let (days, rest) = time.milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        self.init(daysSince1970: Int(rest < 0 ? days - 1 : days))
    }

    /// Counts in eras of 400 years from 0000-03-01, so that the leap day is the last of its year (Howard Hinnant,
    /// "chrono-Compatible Low-Level Date Algorithms", civil_from_days).
    private init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// ISO 8601, `2024-05-03`: read the same everywhere.
    var description: String { "\(year)-\(Self.two(month))-\(Self.two(day))" }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
