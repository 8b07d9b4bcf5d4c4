import Library
import Linux

/// ISO 8601 as servers write it: `2026-11-30T02:00:00Z`, with a fraction of any length, with an offset (`+02:00`, `+0200`,
/// `+02`), a blank for the T. Without a zone it is taken as UTC.
enum ISODate {
    static func parse(_ text: String) -> WallTime? {
        var rest = Array(text.utf8)[...]
        while rest.last == UInt8(ascii: " ") { rest.removeLast() }
        guard let year = digits(&rest, 4), skip(&rest, "-"), let month = digits(&rest, 2), skip(&rest, "-"),
            let day = digits(&rest, 2)
        else { return nil }
        var time = CalendarTime(year: year, month: month, day: day)
        if rest.isEmpty { return WallTime(time) }
        guard skip(&rest, "T") || skip(&rest, "t") || skip(&rest, " "), let hour = digits(&rest, 2), skip(&rest, ":"),
            let minute = digits(&rest, 2)
        else { return nil }
        (time.hour, time.minute) = (hour, minute)
        if skip(&rest, ":") {
            guard let second = digits(&rest, 2) else { return nil }
            time.second = second
            if skip(&rest, ".") || skip(&rest, ",") {
                guard let milliseconds = fraction(&rest) else { return nil }
                time.millisecond = milliseconds
            }
        }
        guard let offset = offset(&rest), rest.isEmpty, let wall = WallTime(time) else { return nil }
        let moved = wall.milliseconds - Int64(offset) * 60_000
        return moved >= 0 ? WallTime(milliseconds: moved) : nil
    }

    /// UTC with milliseconds.
    static func text(_ wall: WallTime) -> String {
        let t = CalendarTime(milliseconds: wall.milliseconds)
        let date = "\(padded(t.year, 4))-\(padded(t.month, 2))-\(padded(t.day, 2))"
        return date + "T\(padded(t.hour, 2)):\(padded(t.minute, 2)):\(padded(t.second, 2)).\(padded(t.millisecond, 3))Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    private static func digits(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int? {
        guard rest.count >= count, rest.prefix(count).allSatisfy(isDigit) else { return nil }
        let value = rest.prefix(count).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        rest = rest.dropFirst(count)
        return value
    }

    /// Milliseconds of a fraction of at least one digit; further ones are cut off.
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int? {
        let all = rest.prefix(while: isDigit)
        guard !all.isEmpty else { return nil }
        rest = rest.dropFirst(all.count)
        let three = (Array(all) + [UInt8(ascii: "0"), UInt8(ascii: "0")]).prefix(3)
        return three.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Minutes east of UTC.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
        if rest.isEmpty || skip(&rest, "Z") || skip(&rest, "z") { return 0 }
        let sign = skip(&rest, "-") ? -1 : 1
        guard sign == -1 || skip(&rest, "+"), let hours = digits(&rest, 2) else { return nil }
        if rest.isEmpty { return sign * hours * 60 }
        _ = skip(&rest, ":")
        guard let minutes = digits(&rest, 2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes)
    }

    private static func skip(_ rest: inout ArraySlice<UInt8>, _ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension WallTime {
    /// Nil when there is no such moment.
    init?(_ time: CalendarTime) {
        guard let milliseconds = time.milliseconds else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
