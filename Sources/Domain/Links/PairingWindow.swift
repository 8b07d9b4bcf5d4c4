import Library

/// The time in which a new car may pair.
struct PairingWindow: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        /// `since`: when the first candidate was seen; others may be nearer.
        case searching(since: Instant?)
        /// Waits for the owner's word; `isCalling`: it wants to pair by itself, and waits too.
        case asking(DeviceID, isCalling: Bool)
        /// We pair with it.
        case pairing(DeviceID)
        /// It pairs with us, which must be done by then.
        case admitted(DeviceID, until: Instant)
        /// Paired; by then it must turn out to play music.
        case judging(DeviceID, until: Instant)
    }

    var until: Instant
    /// Cars are confirmed by the owner.
    var asks: Bool
    /// Who waits for the next news.
    var request: Int?
    var stage = Stage.searching(since: nil)
    /// Was paired when the window opened.
    let before: Set<DeviceID>
    /// The owner said no, or they play no music: nothing more is heard of them.
    var rejected: Set<CarAddress> = []
    /// We failed to pair with them, and don't try again; they may.
    var failed: Set<CarAddress> = []

    /// Seconds.
    static let length: Seconds = 180
    /// Time in which nearer cars than the first one seen may answer to the search.
    static let choice: Seconds = 3
    static let admission: Seconds = 60
    static let judgement: Seconds = 15

    /// The device that may have services before it is trusted.
    var guest: DeviceID? {
        switch stage {
        case .searching, .asking: nil
        case .pairing(let device), .admitted(let device, _), .judging(let device, _): device
        }
    }

    /// While pairing is under way the window stays, whatever the clock says; each stage has an end of its own.
    var isBusy: Bool { guest != nil }
}
