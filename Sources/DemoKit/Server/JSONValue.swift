import FoundationEssentials

/// A JSON document as a value, so that an answer can be bent (a number made a string, a field dropped) before it is sent.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    public subscript(key: String) -> JSONValue? {
        guard case .object(let fields) = self else { return nil }
        return fields[key]
    }

    public var number: Double? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    public var array: [JSONValue]? {
        guard case .array(let items) = self else { return nil }
        return items
    }

    /// Nil when `bytes` are no JSON. Not UTF-8 is told beforehand: the decoder of Swift 6.0 may end the process on it.
    public init?(bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self),
            let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        else { return nil }
        self = value
    }

    public var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only a non-finite number can fail, and JSON has no word for one.
        return (try? encoder.encode(self)).map { Array($0) } ?? Array("null".utf8)
    }

    /// The same document with `change` applied to every object in it, innermost first.
    func mappingObjects(_ change: ([String: JSONValue]) -> [String: JSONValue]) -> JSONValue {
        switch self {
        case .array(let items): .array(items.map { $0.mappingObjects(change) })
        case .object(let fields): .object(change(fields.mapValues { $0.mappingObjects(change) }))
        default: self
        }
    }

    /// Every number as a string, as some back ends send them.
    var withNumbersAsStrings: JSONValue {
        switch self {
        case .number(let value): .string(value == value.rounded() ? String(Int64(value)) : String(value))
        case .array(let items): .array(items.map(\.withNumbersAsStrings))
        case .object(let fields): .object(fields.mapValues(\.withNumbersAsStrings))
        default: self
        }
    }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
