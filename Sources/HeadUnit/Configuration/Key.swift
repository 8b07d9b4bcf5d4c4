/// One key of the file: its name, what it may be, and where its value lives. Everything that knows keys — reading,
/// complaining, printing, the example file, the manual's test — goes over the table of these.
struct Key<Root>: Sendable {
    let name: String
    let hint: String
    /// False: not such a value, and nothing was changed.
    let read: @Sendable (String, inout Root) -> Bool
    /// As it would stand in a file; empty when unset; secrets masked.
    let write: @Sendable (Root) -> String

    init<Value>(_ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ format: Format<Value>) {
        self.name = name
        hint = format.hint
        read = { text, root in
            guard let value = format.read(text) else { return false }
            root[keyPath: path] = value
            return true
        }
        write = { format.write($0[keyPath: path]) }
    }

    /// A key that may be left empty, which unsets it.
    init<Value>(optional name: String, _ path: WritableKeyPath<Root, Value?> & Sendable, _ format: Format<Value>) {
        self.init(name, path, format.orNothing(writtenAs: ""))
    }

    init<Value>(
        optional name: String, _ path: WritableKeyPath<Root, Value?> & Sendable, _ format: Format<Value>, none: String
    ) {
        self.init(name, path, format.orNothing(writtenAs: none))
    }
}

extension Format {
    fileprivate func orNothing(writtenAs nothing: String) -> Format<Value?> {
        Format<Value?>(
            hint: nothing.isEmpty ? hint : "\(nothing) or \(hint)",
            read: { $0 == nothing ? .some(nil) : self.read($0).map(Optional.some) },
            write: { $0.map(self.write) ?? nothing })
    }
}
