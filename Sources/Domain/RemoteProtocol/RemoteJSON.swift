import FoundationEssentials
import Library

/// What was wrong with a frame, for the log and the person; the wire says `invalid`.
public struct RemoteProtocolError: Error, Hashable, Sendable {
    public var text: String

    public init(_ text: String) { self.text = text }
}

/// The one way values of the protocol become JSON and back: keys sorted, so equal values are equal bytes.
public enum RemoteJSON {
    /// A longer command is refused unread (docs/protocol, "Bad frame"); a state may be longer.
    public static let commandLimit = 65536

    public static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only a non-finite number can fail, and the values of this module turn those into nil.
        guard let data = try? encoder.encode(value) else { return "null" }
        return String(decoding: data, as: UTF8.self)
    }

    public static func value<T: Decodable>(
        _ type: T.Type, from text: String, atMost limit: Int = .max
    ) throws(RemoteProtocolError) -> T {
        guard text.utf8.count <= limit else { throw RemoteProtocolError("over \(limit) bytes") }
        do {
            return try OutsideJSON.decoded(type, from: text.utf8)
        } catch let error as RemoteProtocolError {
            throw error
        } catch let error as DecodingError {
            throw RemoteProtocolError(error.sentence)
        } catch {
            throw RemoteProtocolError("not JSON")
        }
    }
}

extension DecodingError {
    /// Names the field, never its content: a wrong frame may carry a token.
    fileprivate var sentence: String {
        switch self {
        case .typeMismatch(_, let context): "wrong type: \(path(context))"
        case .valueNotFound(_, let context): "null: \(path(context))"
        case .keyNotFound(let key, _): "missing: \(key.stringValue)"
        case .dataCorrupted(let context): context.codingPath.isEmpty ? "not JSON" : "bad value: \(path(context))"
        @unknown default: "not understood"
        }
    }

    private func path(_ context: Context) -> String {
        context.codingPath.isEmpty ? "not an object" : context.codingPath.map(\.stringValue).joined(separator: ".")
    }
}

/// `2026-11-30T02:00:00Z`.
func iso8601(_ time: WallTime) -> String {
    Date(timeIntervalSince1970: Double(time.milliseconds / 1000)).formatted(.iso8601)
}
