/// How one car wants its text.
public struct DashSettings: Hashable, Sendable {
    public var layout: DashText.Layout
    public var alphabet: DashString.Alphabet

    public init(layout: DashText.Layout = .episode, alphabet: DashString.Alphabet = .utf8) {
        self.layout = layout
        self.alphabet = alphabet
    }
}
