/// The car whose link is up: a paired device that is connected and plays sound (A2DP sink).
public struct ConnectedCar: Hashable, Sendable {
    /// `AA:BB:CC:DD:EE:FF`
    public var address: String
    /// What the driver calls it (BlueZ' alias), else its own name, else its address.
    public var name: String

    public init(address: String, name: String) {
        self.address = address
        self.name = name
    }
}
