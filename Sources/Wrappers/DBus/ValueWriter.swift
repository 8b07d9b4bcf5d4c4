import CDBus

/// Appends values to a message. They were checked by `ValueCheck`; what can fail is memory only.
struct ValueWriter {
    private var iterator = DBusMessageIter()

    /// The message must outlive the writer.
    init(message: Message) { dbus_message_iter_init_append(message.raw, &iterator) }

    private init(empty: Void) {}

    mutating func append(_ values: [Value]) throws(DBusError) {
        for value in values { try append(value) }
    }

    private mutating func append(_ value: Value) throws(DBusError) {
        switch value {
        case .byte(let number): try append(value, DBusBasicValue(byt: number))
        case .boolean(let flag): try append(value, DBusBasicValue(bool_val: flag ? 1 : 0))
        case .int16(let number): try append(value, DBusBasicValue(i16: number))
        case .uint16(let number): try append(value, DBusBasicValue(u16: number))
        case .int32(let number): try append(value, DBusBasicValue(i32: number))
        case .uint32(let number): try append(value, DBusBasicValue(u32: number))
        case .int64(let number): try append(value, DBusBasicValue(i64: .init(number)))
        case .uint64(let number): try append(value, DBusBasicValue(u64: .init(number)))
        case .double(let number): try append(value, DBusBasicValue(dbl: number))
        case .string(let text): try append(value, text)
        case .objectPath(let path): try append(value, path.text)
        case .signature(let signature): try append(value, signature.text)
        case .variant(let inner): try append([inner], in: value.type.code, signature: inner.type.text)
        case .array(let element, let elements): try append(elements, in: value.type.code, signature: element.text)
        case .dictionary(let key, let inner, let entries): try append(entries, key: key, value: inner)
        case .structure(let members): try append(members, in: value.type.code, signature: nil)
        }
    }

    private mutating func append(_ value: Value, _ basic: DBusBasicValue) throws(DBusError) {
        var basic = basic
        try check(dbus_message_iter_append_basic(&iterator, Int32(value.type.code), &basic))
    }

    private mutating func append(_ value: Value, _ text: String) throws(DBusError) {
        let done = text.withCString { c in
            var pointer: UnsafePointer<CChar>? = c
            return dbus_message_iter_append_basic(&iterator, Int32(value.type.code), &pointer)
        }
        try check(done)
    }

    private mutating func append(_ values: [Value], in container: UInt8, signature: String?) throws(DBusError) {
        var inside = ValueWriter(empty: ())
        try check(dbus_message_iter_open_container(&iterator, Int32(container), signature, &inside.iterator))
        try inside.append(values)
        try check(dbus_message_iter_close_container(&iterator, &inside.iterator))
    }

    private mutating func append(_ entries: [Value.Entry], key: ValueType, value: ValueType) throws(DBusError) {
        var inside = ValueWriter(empty: ())
        let signature = "{\(key.text)\(value.text)}"
        try check(dbus_message_iter_open_container(&iterator, Int32(UInt8(ascii: "a")), signature, &inside.iterator))
        for entry in entries { try inside.append([entry.key, entry.value], in: ValueType.entryCode, signature: nil) }
        try check(dbus_message_iter_close_container(&iterator, &inside.iterator))
    }

    private func check(_ done: dbus_bool_t) throws(DBusError) {
        guard done != 0 else { throw .standard("NoMemory", "out of memory") }
    }
}
