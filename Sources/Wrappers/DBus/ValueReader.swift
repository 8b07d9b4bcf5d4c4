import CDBus

/// Takes values out of a message. libdbus has validated the message, so types, lengths and depth hold.
struct ValueReader {
    private var iterator = DBusMessageIter()

    /// The message must outlive the reader.
    init(message: Message) { dbus_message_iter_init(message.raw, &iterator) }

    private init(inside outer: inout DBusMessageIter) { dbus_message_iter_recurse(&outer, &iterator) }

    /// One value of each type.
    mutating func read(_ types: [ValueType]) throws(DBusError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(types.count)
        for type in types { values.append(try next(type)) }
        return values
    }

    private mutating func next(_ type: ValueType) throws(DBusError) -> Value {
        let value = try current(type)
        dbus_message_iter_next(&iterator)
        return value
    }

    private mutating func current(_ type: ValueType) throws(DBusError) -> Value {
        switch type {
        case .array(let element):
            var inside = ValueReader(inside: &iterator)
            return .array(of: element, try inside.elements(element))
        case .dictionary(let key, let value):
            var inside = ValueReader(inside: &iterator)
            return .dictionary(key: key, value: value, try inside.entries(key, value))
        case .structure(let members):
            var inside = ValueReader(inside: &iterator)
            return .structure(try inside.read(members))
        case .variant:
            var inside = ValueReader(inside: &iterator)
            return .variant(try inside.next(try inside.ownType()))
        default:
            return basic(type)
        }
    }

    private var isAtEnd: Bool {
        mutating get { dbus_message_iter_get_arg_type(&iterator) == 0 }
    }

    private mutating func elements(_ type: ValueType) throws(DBusError) -> [Value] {
        var values: [Value] = []
        while !isAtEnd { values.append(try next(type)) }
        return values
    }

    private mutating func entries(_ key: ValueType, _ value: ValueType) throws(DBusError) -> [Value.Entry] {
        var entries: [Value.Entry] = []
        while !isAtEnd {
            var inside = ValueReader(inside: &iterator)
            entries.append(Value.Entry(try inside.next(key), try inside.next(value)))
            dbus_message_iter_next(&iterator)
        }
        return entries
    }

    /// The type inside a variant, which only the message tells.
    private mutating func ownType() throws(DBusError) -> ValueType {
        let c = dbus_message_iter_get_signature(&iterator)
        defer { dbus_free(c) }
        let signature = text(c)
        guard let types = Signature(signature)?.types, types.count == 1 else {
            throw .invalidArguments("a variant of type \(signature)")
        }
        return types[0]
    }

    private mutating func basic(_ type: ValueType) -> Value {
        var value = DBusBasicValue()
        dbus_message_iter_get_basic(&iterator, &value)
        switch type {
        case .byte: return .byte(value.byt)
        case .boolean: return .boolean(value.bool_val != 0)
        case .int16: return .int16(value.i16)
        case .uint16: return .uint16(value.u16)
        case .int32: return .int32(value.i32)
        case .uint32: return .uint32(value.u32)
        case .int64: return .int64(Int64(value.i64))
        case .uint64: return .uint64(UInt64(value.u64))
        case .double: return .double(value.dbl)
        case .objectPath: return .objectPath(ObjectPath(text(value.str)) ?? "/")
        case .signature: return .signature(Signature(text(value.str)) ?? Signature([]))
        default: return .string(text(value.str))
        }
    }
}
