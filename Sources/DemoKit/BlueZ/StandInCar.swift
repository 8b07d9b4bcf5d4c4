import EventLoop

/// A button of the car, as AVRCP passes it through.
public enum CarButton: String, Hashable, Sendable, CaseIterable {
    case play = "Play"
    case pause = "Pause"
    case stop = "Stop"
    case next = "Next"
    case previous = "Previous"

    /// The flag without which bluetoothd does not hand it to the player; `CanControl` is needed for all.
    var flag: String {
        switch self {
        case .play: "CanPlay"
        case .pause: "CanPause"
        case .stop: "CanControl"
        case .next: "CanGoNext"
        case .previous: "CanGoPrevious"
        }
    }
}

/// Where a press ended.
public enum Delivery: Hashable, Sendable {
    /// Called on the player.
    case player
    /// A key of the `<name> (AVRCP)` device: no player, or its flag is false.
    case uinput
    /// The car is not connected.
    case nowhere
}

/// Something the car was told.
public struct CarEvent: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case trackChanged
        case status(String)
        case forwardSeek, reverseSeek
        case reachedStart, reachedEnd
    }

    public var kind: Kind
    /// Seconds of `MonotonicClock`.
    public var at: Double
}

/// What the car's display has at one moment.
public struct CarDisplay: Hashable, Sendable {
    public var title = ""
    public var artist = ""
    public var album = ""
    public var genre = ""
    public var trackNumber: Int?
    /// Seconds; nil when the car is told "unknown".
    public var length: Double?
    /// Playing, Paused, Stopped; nil without a player.
    public var status: String?
    /// Seconds, as GetPlayStatus would answer now.
    public var position: Double = 0
    /// The car has a player to show and to press buttons on.
    public var hasPlayer = false
    /// When it was looked at, seconds of `MonotonicClock`.
    public var at: Double = 0
}

/// The car: what its display shows, its buttons, and its coming and going.
@Core
public final class StandInCar {
    /// `AA:BB:CC:DD:EE:FF`
    public let address: String
    public let name: String
    public private(set) var isConnected = false
    /// Everything the car was told since `forgetEvents()`.
    public private(set) var events: [CarEvent] = []
    /// Keys that went to the uinput device.
    public private(set) var keys: [CarButton] = []

    weak var blueZ: StandInBlueZ?
    private var looks: [Look] = []

    init(address: String, name: String) {
        self.address = address
        self.name = name
    }

    public func connect() { setConnected(true) }

    public func leave() { setConnected(false) }

    /// Presses and lets go.
    @discardableResult
    public func press(_ button: CarButton) -> Delivery {
        guard isConnected, let blueZ else { return .nowhere }
        if blueZ.deliver(button) { return .player }
        keys.append(button)
        return .uinput
    }

    public var display: CarDisplay { blueZ?.display() ?? CarDisplay(at: MonotonicClock.now) }

    /// Waits until the display satisfies the condition, be it for a moment only: it is looked at with every change, and every few
    /// milliseconds, as a car that polls does. Throws after `seconds`, saying what is shown instead.
    @discardableResult
    public func waits(
        _ seconds: Double = 5, until condition: @escaping @Core (CarDisplay) -> Bool
    ) async throws(DemoError) -> CarDisplay {
        let look = Look(condition)
        looks.append(look)
        defer { looks.removeAll { $0 === look } }
        _ = await comesTrue(within: seconds) { [self] in look.sees(display) }
        guard let seen = look.seen else { throw DemoError("after \(seconds) s the car shows \(display)") }
        return seen
    }

    /// Something the display shows has changed.
    func displayChanged() {
        guard !looks.isEmpty else { return }
        let display = display
        for look in looks { _ = look.sees(display) }
    }

    /// Keeps the first display that is as wished.
    @Core
    private final class Look {
        private let condition: @Core (CarDisplay) -> Bool
        private(set) var seen: CarDisplay?

        init(_ condition: @escaping @Core (CarDisplay) -> Bool) { self.condition = condition }

        func sees(_ display: CarDisplay) -> Bool {
            if seen == nil, condition(display) { seen = display }
            return seen != nil
        }
    }

    public func forgetEvents() { events = [] }

    func note(_ kinds: [CarEvent.Kind]) {
        guard isConnected else { return }
        events += kinds.map { CarEvent(kind: $0, at: MonotonicClock.now) }
    }

    private func setConnected(_ isConnected: Bool) {
        guard self.isConnected != isConnected else { return }
        self.isConnected = isConnected
        blueZ?.deviceChanged(self)
    }
}
