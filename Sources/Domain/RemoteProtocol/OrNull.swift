/// A value that may be unknown. On the wire unknown is an explicit `null`: left out, a client could not tell it from a
/// field of a newer box. Reading takes a missing field for unknown too.
@propertyWrapper
public struct OrNull<Value: Hashable & Sendable & Codable>: Hashable, Sendable {
    public var wrappedValue: Value?

    public init() { wrappedValue = nil }

    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
}

extension OrNull: Codable {
    public init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        wrappedValue = single.decodeNil() ? nil : try single.decode(Value.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        if let wrappedValue { try single.encode(wrappedValue) } else { try single.encodeNil() }
    }
}

extension KeyedDecodingContainer {
    /// Chosen by the synthesised `init(from:)` over the generic one, which would refuse a missing field.
    func decode<Value>(_ type: OrNull<Value>.Type, forKey key: Key) throws -> OrNull<Value> {
        OrNull(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}
