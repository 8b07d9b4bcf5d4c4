import Library
import Linux

/// How one kind of value is written in the file, both ways.
struct Format<Value: Sendable>: Sendable {
    /// What a right value is, for a complaint: "a number from 0.5 to 3".
    let hint: String
    /// Nil: not such a value.
    let read: @Sendable (String) -> Value?
    /// What `read` takes, but for secrets, which are masked.
    let write: @Sendable (Value) -> String
}

extension Format where Value == Double {
    /// Whole numbers are written without a point.
    static func seconds(_ range: ClosedRange<Double>) -> Format { number(range, unit: " of seconds") }

    static func number(_ range: ClosedRange<Double>, unit: String = "") -> Format {
        Format(
            hint: "a number\(unit) from \(plain(range.lowerBound)) to \(plain(range.upperBound))",
            read: { decimal($0).flatMap { range.contains($0) ? $0 : nil } }, write: plain)
    }
}

extension Format where Value == [Double] {
    /// Seconds to go back after under a minute, a minute, an hour, a day.
    static let rewind = Format(
        hint: "four numbers of seconds from 0 to 600 with commas between",
        read: { text in
            let steps = text.split(separator: ",", omittingEmptySubsequences: false).map { decimal(trimmed($0)) }
            let valid = steps.compactMap { $0 }.filter { (0...600).contains($0) }
            return steps.count == 4 && valid.count == 4 ? valid : nil
        },
        write: { $0.map(plain).joined(separator: ",") })
}

extension Format where Value == Int {
    static func whole(_ range: ClosedRange<Int>, unit: String = "") -> Format {
        Format(
            hint: "a whole number\(unit) from \(range.lowerBound) to \(range.upperBound)",
            read: { Int($0).flatMap { range.contains($0) ? $0 : nil } }, write: { "\($0)" })
    }
}

extension Format where Value == Int64 {
    /// Bytes, or with K, M, G, T by steps of 1024.
    static let size = Format(
        hint: "a size like 500M or 4G",
        read: { text in
            let shift = text.last.flatMap { sizeShifts[$0] }
            guard let count = Int64(shift == nil ? text : String(text.dropLast())), count >= 0 else { return nil }
            let bytes = count.multipliedReportingOverflow(by: 1 << (shift ?? 0))
            return bytes.overflow ? nil : bytes.partialValue
        },
        write: { bytes in
            let unit = sizeShifts.filter { bytes > 0 && bytes % (1 << $0.value) == 0 }.max { $0.value < $1.value }
            return unit.map { "\(bytes >> $0.value)\($0.key)" } ?? "\(bytes)"
        })
}

private let sizeShifts: [Character: Int64] = ["K": 10, "M": 20, "G": 30, "T": 40]

extension Format where Value == Bool {
    static let yesNo = Format(
        hint: "yes or no", read: { ["yes": true, "no": false][$0] }, write: { $0 ? "yes" : "no" })
}

extension Format where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    static var choice: Format {
        let words = Value.allCases.map(\.rawValue)
        return Format(
            hint: "one of " + words.joined(separator: ", "), read: { Value(rawValue: $0) }, write: { $0.rawValue })
    }
}

extension Format where Value == Log.Level {
    private static var words: [(String, Log.Level)] { [("error", .error), ("info", .info), ("debug", .debug)] }

    static var logLevel: Format {
        Format(
            hint: "one of error, info, debug", read: { Log.Level($0) },
            write: { level in words.first { $0.1 == level }?.0 ?? "info" })
    }
}

extension Format where Value == String {
    static let word = Format(hint: "a word", read: { $0.isEmpty ? nil : $0 }, write: { $0 })

    /// A relative one would depend on where the service was started.
    static let path = Format(hint: "a path from /", read: { $0.hasPrefix("/") ? $0 : nil }, write: { $0 })
}

extension Format where Value == ServerAddress {
    static let address = Format(
        hint: "an https:// address (http:// only within one's own network)", read: { try? ServerAddress($0) },
        write: { $0.url })
}

extension Format where Value == ListenAddress {
    static let listen = Format(hint: "ADDR:PORT", read: { ListenAddress($0) }, write: { $0.description })
}

extension Format where Value == Secret {
    /// A proxy's URL; only the part that may hold a name and password is masked.
    static let proxy = Format(
        hint: "a proxy's address", read: { $0.contains(" ") ? nil : Secret($0) },
        write: { secret in
            let url = secret.reveal()
            guard let at = url.lastIndex(of: "@") else { return url }
            let scheme = url.firstRange(of: "://").map { url[..<$0.upperBound] } ?? ""
            return "\(scheme)***\(url[at...])"
        })
}

/// Digits, a point, a sign; neither `nan` nor `0x1p3`, which Swift would take.
private func decimal(_ text: String) -> Double? {
    text.allSatisfy { $0.isASCII && ($0.isNumber || ".-+".contains($0)) } ? Double(text) : nil
}

/// `30`, `1.25`.
private func plain(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
}

extension Format where Value == Double {
    /// `1.0`: a speed reads better with its point.
    static let rate = Format(hint: "a number from 0.5 to 3", read: number(0.5...3).read, write: { "\($0)" })
}
