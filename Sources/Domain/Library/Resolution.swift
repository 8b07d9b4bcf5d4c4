/// What a server's entry means for the record held here.
public struct Resolution: Hashable, Sendable {
    public enum Outcome: String, Hashable, Sendable {
        /// Both have the same; nothing is to be sent.
        case agreed
        /// Ours stands and is sent on top of the server's version.
        case push
        /// The server's stands; the player's resume point moves.
        case adopt
        /// An answer older than what is known already, or nothing to say: nothing changes.
        case ignored
    }

    public var outcome: Outcome
    /// What is held from now on.
    public var held: Held
    /// The position that gave way, for the journal; nil when none did.
    public var loser: Seconds?

    public init(_ outcome: Outcome, _ held: Held, loser: Seconds? = nil) {
        self.outcome = outcome
        self.held = held
        self.loser = loser
    }
}

/// Why an entry of the server is at hand.
public enum EntrySource: Hashable, Sendable {
    /// A list; may have overtaken, or been overtaken by, a push of ours.
    case listing
    /// A read made because the version was unknown, with the push waiting for it.
    case beforePush
    /// The body of a 409: the server's present state.
    case conflict
}

/// The times a merge goes by.
public struct SyncTimes: Hashable, Sendable {
    /// The server's time now; nil until this boot has heard it.
    public var now: WallTime?
    /// The last time that was certain before the record's boot had heard the server; nil: never.
    public var lastTrusted: WallTime?

    public init(now: WallTime? = nil, lastTrusted: WallTime? = nil) {
        self.now = now
        self.lastTrusted = lastTrusted
    }

    /// Nothing stamped later than this much after now is believed or sent: milliseconds (sync.md, "Clocks").
    public static let patience: Int64 = 120_000

    func isBelievable(_ time: WallTime) -> Bool {
        guard let now else { return true }
        return time.milliseconds <= now.milliseconds + Self.patience
    }
}
