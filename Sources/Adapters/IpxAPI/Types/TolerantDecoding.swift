import Library

// Readers that know a value in the shapes servers send it in, and say nil to everything else: a missing or odd field is
// unknown, never a reason to lose the whole.
extension KeyedDecodingContainer where Key == Field {
    /// Text, also when it came as a number; nil when empty.
    func text(_ field: Field) -> String? {
        if let text = try? decode(String.self, forKey: field) { return text.isEmpty ? nil : text }
        return (try? decode(Int64.self, forKey: field)).map { String($0) }
    }

    /// A finite number, also when it came as text.
    func number(_ field: Field) -> Double? {
        if let number = try? decode(Double.self, forKey: field) { return number.isFinite ? number : nil }
        return (try? decode(String.self, forKey: field)).flatMap { NumberText.number($0) }
    }

    /// A whole number in the range that JSON's doubles hold exactly.
    func integer(_ field: Field) -> Int64? {
        guard let number = number(field), number == number.rounded(), abs(number) < 9_007_199_254_740_992 else { return nil }
        return Int64(number)
    }

    /// Seconds, as a number or as text (`H:MM:SS`, `M:SS`, `S`); whether they can be meant is `Episode.sanitized`'s business.
    func seconds(_ field: Field) -> Seconds? {
        number(field) ?? (try? decode(String.self, forKey: field)).flatMap { DurationText.place($0) }
    }

    func flag(_ field: Field) -> Bool? {
        if let flag = try? decode(Bool.self, forKey: field) { return flag }
        switch text(field)?.lowercased() {
        case "true", "1": return true
        case "false", "0": return false
        default: return nil
        }
    }

    func time(_ field: Field) -> WallTime? {
        (try? decode(String.self, forKey: field)).flatMap { ISODate.parse($0) }
    }

    /// The items that can be read; empty when there is no list.
    func items<T: Decodable>(_ field: Field, of type: T.Type) -> [T] {
        ((try? decode([Readable<T>].self, forKey: field)) ?? []).compactMap(\.value)
    }
}

/// One item of a list, or nothing if it can't be read: the list lives on without it.
struct Readable<Value: Decodable>: Decodable {
    var value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

/// An item that lacks what makes it one.
struct Unreadable: Error {}

/// Numbers written as text.
enum NumberText {
    /// A plain decimal number, blanks around it allowed.
    static func number(_ text: some StringProtocol) -> Double? {
        let start = text.drop(while: \.isWhitespace)
        let plain = start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
        // Double's own reader also knows "nan", "infinity" and hexadecimal.
        guard plain.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(plain) else { return nil }
        return number.isFinite ? number : nil
    }
}
