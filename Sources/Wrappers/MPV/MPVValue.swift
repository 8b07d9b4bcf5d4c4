import CMPV

/// A value of a property or an answer (client.h, `mpv_node`), copied out of mpv.
public enum MPVValue: Hashable, Sendable {
    case none
    case flag(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([MPVValue])
    case map([String: MPVValue])

    /// Whole or not: mpv answers 10 seconds as it likes.
    public var number: Double? {
        switch self {
        case .double(let value): value
        case .int(let value): Double(value)
        default: nil
        }
    }

    public var bool: Bool? { if case .flag(let value) = self { value } else { nil } }

    public subscript(key: String) -> MPVValue? {
        if case .map(let entries) = self { entries[key] } else { nil }
    }

    /// `node` is only looked at during the call. Formats not asked for here (byte arrays) count as none.
    init(_ node: mpv_node) {
        self =
            switch node.format {
            case MPV_FORMAT_FLAG: .flag(node.u.flag != 0)
            case MPV_FORMAT_INT64: .int(node.u.int64)
            case MPV_FORMAT_DOUBLE: .double(node.u.double_)
            case MPV_FORMAT_STRING: .string(node.u.string.map { String(cString: $0) } ?? "")
            case MPV_FORMAT_NODE_ARRAY: .array(Self.values(node.u.list))
            case MPV_FORMAT_NODE_MAP: .map(Self.entries(node.u.list))
            default: .none
            }
    }

    private static func values(_ list: UnsafeMutablePointer<mpv_node_list>?) -> [MPVValue] {
        guard let list, let values = list.pointee.values else { return [] }
        return (0..<Int(list.pointee.num)).map { MPVValue(values[$0]) }
    }

    private static func entries(_ list: UnsafeMutablePointer<mpv_node_list>?) -> [String: MPVValue] {
        guard let list, let keys = list.pointee.keys else { return [:] }
        // swift-format-ignore: NeverForceUnwrap
        let named = zip(0..<Int(list.pointee.num), values(list)).map { (String(cString: keys[$0]!), $1) }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }
}
