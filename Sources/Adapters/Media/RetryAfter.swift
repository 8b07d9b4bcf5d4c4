import HTTPClient

/// `Retry-After`: seconds or a date (RFC 9110, section 10.2.3). A date is taken against the answer's own `Date`, since the
/// box's clock may be years off.
enum RetryAfter {
    static func seconds(_ head: HTTPHead) -> Double? {
        guard let text = head.headers["Retry-After"] else { return nil }
        if let seconds = Double(text) { return seconds >= 0 && seconds.isFinite ? seconds : nil }
        guard let until = imfDate(text), let now = head.date.flatMap(imfDate) else { return nil }
        return max(0, until - now)
    }

    /// Seconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT` (the one form that may be sent: RFC 9110, section 5.6.7).
    static func imfDate(_ text: String) -> Double? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), (1...31).contains(day), let year = Int(words[3]),
            (1970...9999).contains(year),
            let month = months.firstIndex(of: String(words[2]))
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, clock.allSatisfy({ (0...60).contains($0) }) else { return nil }
        return Double(days(year, month + 1, day) * 86400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Days since 1970 in the Gregorian calendar, years counted from March so that the leap day comes last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
