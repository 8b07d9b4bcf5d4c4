/// A Bluetooth address in the one spelling that is compared: `AA:BB:CC:DD:EE:FF`.
struct BluetoothAddress: Hashable, Sendable {
    let text: String

    /// Accepts `:`, `_` and `-` between the bytes, and either case.
    init?(_ text: some StringProtocol) {
        let bytes = text.split(omittingEmptySubsequences: false) { ":_-".contains($0) }
        guard bytes.count == 6, bytes.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isHexDigit) }) else { return nil }
        self.text = bytes.joined(separator: ":").uppercased()
    }
}
