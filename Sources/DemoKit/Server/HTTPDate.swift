import Glibc

/// IMF-fixdate (RFC 9110, section 5.6.7), e.g. `Sun, 06 Nov 1994 08:49:37 GMT`. `seconds` since 1970.
func httpDate(_ seconds: Double) -> String {
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let t = utc(seconds)
    let date = "\(two(t.tm_mday)) \(months[Int(t.tm_mon)]) \(t.tm_year + 1900)"
    return "\(days[Int(t.tm_wday)]), \(date) \(two(t.tm_hour)):\(two(t.tm_min)):\(two(t.tm_sec)) GMT"
}

/// ISO 8601 with milliseconds, UTC.
func isoDate(_ seconds: Double) -> String {
    let milliseconds = Int64((seconds * 1000).rounded())
    let t = utc(Double(milliseconds / 1000))
    let fraction = String(1000 + milliseconds % 1000).dropFirst()
    return
        "\(t.tm_year + 1900)-\(two(t.tm_mon + 1))-\(two(t.tm_mday))T\(two(t.tm_hour)):\(two(t.tm_min)):\(two(t.tm_sec)).\(fraction)Z"
}

/// Reads what `isoDate` writes, with or without a fraction; nil for anything else.
func secondsOfISODate(_ text: String) -> Double? {
    let numbers = text.split(whereSeparator: { "-T:Z".contains($0) })
    guard numbers.count == 6, let second = Double(numbers[5]) else { return nil }
    let whole = numbers.prefix(5).compactMap { Int32($0) }
    guard whole.count == 5 else { return nil }
    var t = tm()
    (t.tm_year, t.tm_mon, t.tm_mday, t.tm_hour, t.tm_min) = (whole[0] - 1900, whole[1] - 1, whole[2], whole[3], whole[4])
    return Double(timegm(&t)) + second
}

private func utc(_ seconds: Double) -> tm {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    return parts
}

private func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
