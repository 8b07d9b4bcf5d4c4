/// What libdbus would abort the process for, refused beforehand (D-Bus specification, "Type System" and "Message Protocol").
struct ValueCheck {
    /// Bytes left for the message, roughly; a message has 128 MiB at most, an array 64 MiB: we stay under both.
    private var room = 64 << 20

    /// Containers inside each other: the specification's 64, less what variants around may need.
    private static let deepest = 32

    static func check(_ values: [Value]) throws(DBusError) {
        var check = ValueCheck()
        for value in values { try check.check(value, depth: 0) }
        try check.check(Signature(values.map(\.type)))
    }

    private mutating func check(_ value: Value, depth: Int) throws(DBusError) {
        guard depth <= Self.deepest else { throw .invalid("a value nested deeper than \(Self.deepest)") }
        try take(8)
        switch value {
        case .string(let text): try check(text)
        case .objectPath(let path): try take(path.text.utf8.count)
        case .signature(let signature): try check(signature)
        case .variant(let inner):
            try check(Signature([inner.type]))
            try check(inner, depth: depth + 1)
        case .array(let element, let elements):
            for value in elements { try check(value, is: element, depth: depth + 1) }
        case .dictionary(let key, let value, let entries):
            guard key.isBasic else { throw .invalid("a dictionary's key of type \(key.text)") }
            for entry in entries {
                try check(entry.key, is: key, depth: depth + 1)
                try check(entry.value, is: value, depth: depth + 1)
            }
        case .structure(let members):
            guard !members.isEmpty else { throw .invalid("an empty structure") }
            for member in members { try check(member, depth: depth + 1) }
        default: break
        }
    }

    private mutating func check(_ value: Value, is type: ValueType, depth: Int) throws(DBusError) {
        guard value.type == type else { throw .invalid("\(value.type.text) in a container of \(type.text)") }
        try check(value, depth: depth)
    }

    private mutating func check(_ text: String) throws(DBusError) {
        try take(text.utf8.count)
        guard !text.utf8.contains(0) else { throw .invalid("a string with a NUL") }
    }

    private mutating func check(_ signature: Signature) throws(DBusError) {
        let text = signature.text
        guard Signature(text) == signature else { throw .invalid("the signature \(text)") }
        try take(text.utf8.count)
    }

    private mutating func take(_ bytes: Int) throws(DBusError) {
        room -= bytes
        guard room >= 0 else { throw .invalid("a message over 64 MiB") }
    }
}
