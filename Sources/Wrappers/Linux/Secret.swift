/// A value that must never reach a log, a bundle or a crash report: every way of printing it shows `***`.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    public init(_ value: String) { self.value = value }

    /// The value itself, for the one place that sends or stores it.
    public func reveal() -> String { value }

    public var isEmpty: Bool { value.isEmpty }
    public var description: String { "***" }
    public var debugDescription: String { "***" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
