/// Why a part of the stage (a private server, a capture, an episode) could not be set up; the text is for a person.
public struct DemoError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
