/// One complete type of the D-Bus type system. File descriptors (`h`) are left out: nothing here passes them.
public indirect enum ValueType: Hashable, Sendable {
    case byte, boolean, int16, uint16, int32, uint32, int64, uint64, double
    case string, objectPath, signature
    case variant
    case array(ValueType)
    /// `a{kv}`: an array of entries, in order. The key is a basic type.
    case dictionary(key: ValueType, value: ValueType)
    /// At least one member.
    case structure([ValueType])

    /// `a{sv}`, what property and option lists are.
    public static let properties = ValueType.dictionary(key: .string, value: .variant)

    /// Its signature.
    public var text: String {
        switch self {
        case .array(let element): "a" + element.text
        case .dictionary(let key, let value): "a{\(key.text)\(value.text)}"
        case .structure(let members): "(" + members.map(\.text).joined() + ")"
        default: String(Unicode.Scalar(code))
        }
    }

    /// True for the types that may be a dictionary's key.
    public var isBasic: Bool {
        switch self {
        case .variant, .array, .dictionary, .structure: false
        default: true
        }
    }

    /// The type code of the specification; containers have the code libdbus opens them with.
    var code: UInt8 {
        switch self {
        case .byte: UInt8(ascii: "y")
        case .boolean: UInt8(ascii: "b")
        case .int16: UInt8(ascii: "n")
        case .uint16: UInt8(ascii: "q")
        case .int32: UInt8(ascii: "i")
        case .uint32: UInt8(ascii: "u")
        case .int64: UInt8(ascii: "x")
        case .uint64: UInt8(ascii: "t")
        case .double: UInt8(ascii: "d")
        case .string: UInt8(ascii: "s")
        case .objectPath: UInt8(ascii: "o")
        case .signature: UInt8(ascii: "g")
        case .variant: UInt8(ascii: "v")
        case .array, .dictionary: UInt8(ascii: "a")
        case .structure: UInt8(ascii: "r")
        }
    }

    static let basics: [ValueType] = [
        .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
    ]

    /// libdbus' code for opening one entry of a dictionary.
    static let entryCode = UInt8(ascii: "e")
}

/// A list of complete types, as a message's body or a value of type `g` has.
public struct Signature: Hashable, Sendable {
    public var types: [ValueType]

    public init(_ types: [ValueType]) { self.types = types }

    /// Nil when it is not a valid signature, or has a type that is left out here.
    public init?(_ text: String) {
        var parser = SignatureParser(rest: Array(text.utf8)[...])
        guard text.utf8.count <= Self.longest, let types = parser.types() else { return nil }
        self.types = types
    }

    public var text: String { types.map(\.text).joined() }

    /// Bytes of a signature at most (D-Bus specification, "Valid Signatures").
    static let longest = 255
}

/// Recursive descent over a signature; depth is bounded by the specification's limits.
struct SignatureParser {
    var rest: ArraySlice<UInt8>

    /// 32 arrays and 32 structures deep at most.
    static let deepest = 32

    mutating func types() -> [ValueType]? {
        var all: [ValueType] = []
        while !rest.isEmpty {
            guard let type = type(arrays: 0, structures: 0) else { return nil }
            all.append(type)
        }
        return all
    }

    private mutating func type(arrays: Int, structures: Int) -> ValueType? {
        guard arrays <= Self.deepest, structures <= Self.deepest, let code = rest.popFirst() else { return nil }
        switch code {
        case UInt8(ascii: "v"): return .variant
        case UInt8(ascii: "a"): return array(arrays: arrays + 1, structures: structures)
        case UInt8(ascii: "("): return structure(arrays: arrays, structures: structures + 1)
        default: return ValueType.basics.first { $0.code == code }
        }
    }

    private mutating func array(arrays: Int, structures: Int) -> ValueType? {
        guard rest.first == UInt8(ascii: "{") else {
            return type(arrays: arrays, structures: structures).map { .array($0) }
        }
        rest.removeFirst()
        guard let key = type(arrays: arrays, structures: structures), key.isBasic,
            let value = type(arrays: arrays, structures: structures), rest.popFirst() == UInt8(ascii: "}")
        else { return nil }
        return .dictionary(key: key, value: value)
    }

    private mutating func structure(arrays: Int, structures: Int) -> ValueType? {
        var members: [ValueType] = []
        while let next = rest.first, next != UInt8(ascii: ")") {
            guard let member = type(arrays: arrays, structures: structures) else { return nil }
            members.append(member)
        }
        guard rest.popFirst() != nil, !members.isEmpty else { return nil }
        return .structure(members)
    }
}
