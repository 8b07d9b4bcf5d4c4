import Library

/// `[buttons]`: wheel buttons wired to the box.
public struct ButtonSettings: Hashable, Sendable {
    /// Names or paths of key devices; one line each.
    public var devices: [String] = []
    /// By the kernel's name of the key, e.g. `KEY_NEXTSONG` (linux/input-event-codes.h).
    public var keys: [String: ButtonMeaning] = [:]
}

/// What one key does; nil: what it does by itself.
public struct ButtonMeaning: Hashable, Sendable, CustomStringConvertible {
    public var press: ButtonAction?
    public var hold: ButtonAction?

    /// `press:ACTION,hold:ACTION`, either part alone too.
    public init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: ":", omittingEmptySubsequences: false).map(trimmed)
            guard words.count == 2, let action = ButtonAction(words[1]) else { return nil }
            switch words[0] {
            case "press" where press == nil: press = action
            case "hold" where hold == nil: hold = action
            default: return nil
            }
        }
    }

    public var description: String {
        [press.map { "press:\($0)" }, hold.map { "hold:\($0)" }].compactMap { $0 }.joined(separator: ",")
    }
}

/// What a button can be made to do.
public enum ButtonAction: Hashable, Sendable, CustomStringConvertible {
    public enum Way: String, Hashable, Sendable, CaseIterable { case forward = "+", back = "-" }

    case play, pause, toggle, next, previous, mute, pair, addCar, none
    /// Seconds; negative goes back.
    case skip(by: Seconds)
    case episode(Way), chapter(Way), scan(Way), volume(Way)

    private static let plain: [ButtonAction] = [
        .play, .pause, .toggle, .next, .previous, .mute, .pair, .addCar, .none,
    ]
    private static let ways: [ButtonAction] = Way.allCases.flatMap {
        [.episode($0), .chapter($0), .scan($0), .volume($0)]
    }

    public init?(_ text: String) {
        if let known = (Self.plain + Self.ways).first(where: { $0.description == text }) {
            self = known
        } else if text.hasPrefix("skip+") || text.hasPrefix("skip-"), let seconds = UInt16(text.dropFirst(5)), seconds > 0 {
            self = .skip(by: Seconds(seconds) * (text.hasPrefix("skip-") ? -1 : 1))
        } else {
            return nil
        }
    }

    public var description: String {
        switch self {
        case .play: "play"
        case .pause: "pause"
        case .toggle: "toggle"
        case .next: "next"
        case .previous: "previous"
        case .mute: "mute"
        case .pair: "pair"
        case .addCar: "add-car"
        case .none: "none"
        case .skip(let by): "skip\(by < 0 ? "-" : "+")\(Int(by.magnitude))"
        case .episode(let way): "episode\(way.rawValue)"
        case .chapter(let way): "chapter\(way.rawValue)"
        case .scan(let way): "scan\(way.rawValue)"
        case .volume(let way): "volume\(way.rawValue)"
        }
    }
}

/// Without the spaces around it.
func trimmed(_ text: some StringProtocol) -> String {
    let spaces: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(text.drop(while: spaces).reversed().drop(while: spaces).reversed())
}
