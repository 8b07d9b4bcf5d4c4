/// What happens on a drive, step by step: `play;10s;next;car-off;2s;car-on;net-off;kill`.
public struct DriveScript: Hashable, Sendable {
    public enum Step: Hashable, Sendable {
        /// A press on the wheel.
        case press(CarButton)
        /// Seconds forward (back when negative), by the service's own command.
        case skip(Double)
        /// Seconds.
        case wait(Double)
        case carLeaves, carReturns
        case networkGoes, networkReturns
        /// `kill -9` of the service, and its start anew.
        case kill
        /// Percent, at the car's own knob.
        case knob(Int)
    }

    public var steps: [Step]

    public init(_ steps: [Step]) { self.steps = steps }

    /// Everything once, in about a minute.
    public static let tour = DriveScript([
        .press(.play), .wait(8), .press(.next), .wait(6), .carLeaves, .wait(3), .carReturns, .wait(8), .networkGoes,
        .wait(5),
        .kill, .wait(8), .networkReturns, .wait(8), .press(.pause), .wait(3),
    ])

    /// Throws with the step that is not understood.
    public init(_ text: String) throws(DemoError) {
        steps = []
        for part in text.split(whereSeparator: { $0 == ";" || $0 == "," || $0.isNewline }) {
            let word = part.filter { !$0.isWhitespace }.lowercased()
            if word.isEmpty { continue }
            guard let step = Step(word) else { throw DemoError("'\(word)' is no step; \(DriveScript.words)") }
            steps.append(step)
        }
    }

    public static let words = """
        steps are play, pause, stop, next, previous, forward, back, 10s, car-off, car-on, net-off, net-on, kill, volume=40
        """
}

extension DriveScript.Step {
    init?(_ word: String) {
        switch word {
        case "play": self = .press(.play)
        case "pause": self = .press(.pause)
        case "stop": self = .press(.stop)
        case "next": self = .press(.next)
        case "previous", "prev": self = .press(.previous)
        case "forward": self = .skip(10)
        case "back": self = .skip(-10)
        case "car-off": self = .carLeaves
        case "car-on": self = .carReturns
        case "net-off": self = .networkGoes
        case "net-on": self = .networkReturns
        case "kill": self = .kill
        default:
            if word.hasPrefix("volume="), let percent = Int(word.dropFirst(7)), 0...100 ~= percent {
                self = .knob(percent)
            } else if word.hasSuffix("s"), let seconds = Double(word.dropLast()), seconds >= 0, seconds < 86_400 {
                self = .wait(seconds)
            } else {
                return nil
            }
        }
    }
}

extension DriveScript.Step: CustomStringConvertible {
    /// As a line of the log tells it.
    public var description: String {
        switch self {
        case .press(let button): "the wheel: \(button.rawValue)"
        case .skip(let seconds): "the wheel, held: \(seconds < 0 ? "back" : "forward")"
        case .wait(let seconds): "\(Int(seconds.rounded(.up))) s of road"
        case .carLeaves: "the car leaves"
        case .carReturns: "the car returns"
        case .networkGoes: "the network goes"
        case .networkReturns: "the network is back"
        case .kill: "kill -9, and the service starts anew"
        case .knob(let percent): "the car's knob: \(percent) %"
        }
    }
}
