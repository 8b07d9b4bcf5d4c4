import Library
import Linux

/// The Date header: IMF-fixdate, and the two older forms that a recipient must know (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    static func parse(_ text: String) -> WallTime? {
        let words = text.split(whereSeparator: { " ,-".contains($0) }).map(String.init)
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT · Sunday, 06-Nov-94 08:49:37 GMT
        case 6 where words[5] == "GMT": return time(day: words[1], month: words[2], year: words[3], clock: words[4])
        // Sun Nov  6 08:49:37 1994
        case 5: return time(day: words[2], month: words[1], year: words[4], clock: words[3])
        default: return nil
        }
    }

    private static func time(day: String, month: String, year: String, clock: String) -> WallTime? {
        let hands = clock.split(separator: ":").map { Int($0) }
        guard let day = Int(day), let month = months.firstIndex(of: month.lowercased()), var full = Int(year),
            hands.count == 3, let hour = hands[0], let minute = hands[1], let second = hands[2]
        else { return nil }
        if year.utf8.count == 2 { full += full < 70 ? 2000 : 1900 }
        return WallTime(
            CalendarTime(year: full, month: month + 1, day: day, hour: hour, minute: minute, second: second))
    }
}
