import Library

/// `[player]` and `[car]` of the configuration, as far as the core needs them.
public struct PlayerSettings: Hashable, Sendable {
    public enum Resume: String, Hashable, Sendable, CaseIterable { case ifPlaying = "if-playing", always, never }
    public enum NextMeans: String, Hashable, Sendable, CaseIterable { case skip, episode, chapter }
    public enum ToggleKey: String, Hashable, Sendable, CaseIterable { case off, play, pause }

    public var skipForward: Seconds = 30
    public var skipBack: Seconds = 15
    public var rate: Double = 1
    public var resume: Resume = .ifPlaying
    /// Seconds to go back after: under a minute, a minute, an hour, a day away.
    public var rewind: [Seconds] = [0, 3, 10, 20]
    /// Per cent of the duration, 1…100.
    public var readAt: Double = 90
    /// The longest age of the stored position while playing, seconds.
    public var saveEvery: Seconds = 10
    public var next: NextMeans = .skip
    /// For a car whose one key sends only Play (or only Pause).
    public var toggleKey: ToggleKey = .off
    /// Seconds after connecting in which the car's first Play is held back after the driver's own pause.
    public var holdFirstPlay: Seconds = 5

    public init() {}
}
