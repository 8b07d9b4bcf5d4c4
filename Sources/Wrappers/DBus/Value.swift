/// A D-Bus value. Its type is exact: an `int64` is never sent as anything but `x`, and an empty array knows its element.
public indirect enum Value: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    /// Must have no NUL, which the wire can't carry.
    case string(String)
    case objectPath(ObjectPath)
    case signature(Signature)
    case variant(Value)
    /// Every element has this type.
    case array(of: ValueType, [Value])
    /// The entries keep their order: some readers (BlueZ) take them one after the other and stop at the first they dislike.
    case dictionary(key: ValueType, value: ValueType, [Entry])
    case structure([Value])

    public struct Entry: Hashable, Sendable {
        public var key: Value
        public var value: Value

        public init(_ key: Value, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    public var type: ValueType {
        switch self {
        case .byte: .byte
        case .boolean: .boolean
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .double: .double
        case .string: .string
        case .objectPath: .objectPath
        case .signature: .signature
        case .variant: .variant
        case .array(let element, _): .array(element)
        case .dictionary(let key, let value, _): .dictionary(key: key, value: value)
        case .structure(let members): .structure(members.map(\.type))
        }
    }
}

// Making the usual ones.
extension Value {
    /// `as`
    public static func strings(_ texts: [String]) -> Value { .array(of: .string, texts.map { .string($0) }) }

    /// `a{sv}`, in this order.
    public static func properties(_ list: [(String, Value)]) -> Value {
        .dictionary(key: .string, value: .variant, list.map { Entry(.string($0.0), .variant($0.1)) })
    }
}

// Reading the usual ones; nil when the type is another.
extension Value {
    /// The value inside, however often it is wrapped in variants.
    public var unwrapped: Value {
        if case .variant(let inner) = self { inner.unwrapped } else { self }
    }

    public var asString: String? {
        if case .string(let text) = self { text } else { nil }
    }

    public var asBoolean: Bool? {
        if case .boolean(let flag) = self { flag } else { nil }
    }

    public var asInt64: Int64? {
        if case .int64(let number) = self { number } else { nil }
    }

    public var asUInt32: UInt32? {
        if case .uint32(let number) = self { number } else { nil }
    }

    public var asDouble: Double? {
        if case .double(let number) = self { number } else { nil }
    }

    public var asObjectPath: ObjectPath? {
        if case .objectPath(let path) = self { path } else { nil }
    }

    public var asArray: [Value]? {
        if case .array(_, let elements) = self { elements } else { nil }
    }

    /// The texts of an `as`.
    public var asStrings: [String]? {
        if case .array(of: .string, let elements) = self { elements.compactMap(\.asString) } else { nil }
    }

    public var asEntries: [Entry]? {
        if case .dictionary(_, _, let entries) = self { entries } else { nil }
    }

    /// The keys and unwrapped values of an `a{s?}`, in order.
    public var asProperties: [(String, Value)]? {
        guard case .dictionary(key: .string, _, let entries) = self else { return nil }
        return entries.compactMap { entry in entry.key.asString.map { ($0, entry.value.unwrapped) } }
    }

    /// The unwrapped value under this key of an `a{s?}`; the last one when it is there twice.
    public subscript(key: String) -> Value? {
        asEntries?.last { $0.key == .string(key) }?.value.unwrapped
    }
}
