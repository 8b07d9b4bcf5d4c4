/// A valid object path (D-Bus specification, "Valid Object Paths"): `/`, or `/` followed by elements of `[A-Za-z0-9_]`.
public struct ObjectPath: Hashable, Sendable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    public let text: String

    /// Nil when it is not valid.
    public init?(_ text: String) {
        guard Self.isValid(text) else { return nil }
        self.text = text
    }

    /// A path written in the source; traps when it is not valid.
    public init(stringLiteral text: StaticString) {
        let text = "\(text)"
        precondition(Self.isValid(text), "not an object path: \(text)")
        self.text = text
    }

    /// This path and one element more; every byte that is not allowed in an element is written as `_` and two hex digits.
    public func appending(escaping name: String) -> ObjectPath {
        ObjectPath(trusted: (text == "/" ? "" : text) + "/" + Self.escape(name))
    }

    public static func < (a: ObjectPath, b: ObjectPath) -> Bool { a.text < b.text }

    public var description: String { text }

    /// True for this path itself and everything below it.
    public func contains(_ other: ObjectPath) -> Bool { self == other || other.text.hasPrefix(below) }

    /// What the paths under this one start with.
    var below: String { text == "/" ? "/" : text + "/" }

    private init(trusted text: String) { self.text = text }

    private static func escape(_ name: String) -> String {
        if name.isEmpty { return "_" }
        return name.utf8.reduce(into: "") { text, byte in
            if isElement(byte), byte != UInt8(ascii: "_") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += byte < 16 ? "_0" : "_"
                text += String(byte, radix: 16)
            }
        }
    }

    private static func isValid(_ text: String) -> Bool {
        if text == "/" { return true }
        guard text.utf8.first == UInt8(ascii: "/") else { return false }
        let elements = text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return elements.allSatisfy { !$0.isEmpty && $0.allSatisfy(isElement) }
    }

    private static func isElement(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
