/// What BlueZ shows at one moment. Always the whole: a view replaces the one before, so nothing depends on a signal that was missed.
public struct LinkView: Hashable, Sendable {
    /// A controller of the box.
    public struct Adapter: Hashable, Sendable {
        /// Its object path.
        public var id: String
        public var isPowered: Bool

        public init(id: String, isPowered: Bool) {
            self.id = id
            self.isPowered = isPowered
        }
    }

    public var adapters: [Adapter]
    public var devices: [Device]

    public init(adapters: [Adapter] = [], devices: [Device] = []) {
        self.adapters = adapters
        self.devices = devices
    }

    func isUsable(_ adapter: String) -> Bool { adapters.contains { $0.id == adapter && $0.isPowered } }

    func device(_ id: DeviceID) -> Device? { devices.first { $0.id == id } }

    func devices(at address: CarAddress) -> [Device] { devices.filter { $0.id.address == address } }

    /// Cars that can be called: paired, with music, over an adapter that is on.
    func callable(_ address: CarAddress) -> Device? {
        devices(at: address).filter { $0.isKnown && isUsable($0.id.adapter) }.min { $0.id < $1.id }
    }
}

/// A device as one adapter knows it: keys are kept per adapter, so the same car is another device on another one.
public struct DeviceID: Hashable, Comparable, Sendable {
    /// The adapter's object path.
    public var adapter: String
    public var address: CarAddress

    public init(adapter: String, address: CarAddress) {
        self.adapter = adapter
        self.address = address
    }

    public static func < (a: DeviceID, b: DeviceID) -> Bool { (a.adapter, a.address) < (b.adapter, b.address) }
}

extension LinkView {
    public struct Device: Hashable, Sendable {
        public var id: DeviceID
        public var name: String
        public var isPaired: Bool
        /// May come in unasked.
        public var isTrusted: Bool
        /// Shut out by hand.
        public var isBlocked: Bool
        /// The link, whatever runs over it.
        public var isConnected: Bool
        /// Offers an A2DP sink; before its services are known, its class says that it plays sound.
        public var playsMusic: Bool
        /// The A2DP connection is up.
        public var hasTransport: Bool
        /// AVRCP is up; nil when the device has none.
        public var control: Bool?
        /// dBm of the last answer to a search; nil when it did not answer to the present one.
        public var signal: Int?

        public init(
            _ id: DeviceID, name: String, isPaired: Bool = false, isTrusted: Bool = false, isBlocked: Bool = false,
            isConnected: Bool = false, playsMusic: Bool = false, hasTransport: Bool = false, control: Bool? = nil,
            signal: Int? = nil
        ) {
            self.id = id
            self.name = name
            self.isPaired = isPaired
            self.isTrusted = isTrusted
            self.isBlocked = isBlocked
            self.isConnected = isConnected
            self.playsMusic = playsMusic
            self.hasTransport = hasTransport
            self.control = control
            self.signal = signal
        }

        /// One of the owner's cars.
        public var isKnown: Bool { isPaired && playsMusic && !isBlocked }
        public var isLinked: Bool { isKnown && isConnected }
    }
}
