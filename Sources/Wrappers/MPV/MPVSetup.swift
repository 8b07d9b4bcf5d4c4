/// How a player is to be made.
public struct MPVSetup: Sendable {
    /// As on mpv's command line, without dashes. One that this mpv refuses or does not know makes the start fail.
    public var options: [(String, String)]
    /// Those that came or went with versions of mpv: one that is not known is left out.
    public var optionsWhereKnown: [(String, String)]
    /// The URL scheme served by `open`, e.g. `ipx` for `ipx://1`.
    public var scheme: String
    public var open: StreamOpener
    /// Called on a thread of the pool when the player and all its threads have gone; nothing is read any more.
    public var ended: @Sendable () -> Void

    public init(
        options: [(String, String)], optionsWhereKnown: [(String, String)] = [], scheme: String,
        open: @escaping StreamOpener, ended: @escaping @Sendable () -> Void = {}
    ) {
        self.options = options
        self.optionsWhereKnown = optionsWhereKnown
        self.scheme = scheme
        self.open = open
        self.ended = ended
    }
}
