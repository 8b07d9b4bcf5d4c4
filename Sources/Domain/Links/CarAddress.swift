/// A Bluetooth address in the one spelling that is compared: `AA:BB:CC:DD:EE:FF`.
public struct CarAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let description: String

    /// Accepts `:`, `_` and `-` between the six bytes, and either case.
    public init?(_ text: some StringProtocol) {
        let bytes = text.split(omittingEmptySubsequences: false) { ":_-".contains($0) }
        let isHex = bytes.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
        guard bytes.count == 6, isHex else { return nil }
        description = bytes.joined(separator: ":").uppercased()
    }

    public static func < (a: CarAddress, b: CarAddress) -> Bool { a.description < b.description }
}
