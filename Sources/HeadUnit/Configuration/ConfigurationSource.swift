/// Where an effective value came from.
public enum ConfigurationSource: Hashable, Sendable, CustomStringConvertible {
    case standard
    case file(String, line: Int)
    /// e.g. `--server`
    case option(String)
    /// A file of the state folder or a credential, whole.
    case value(String)

    public var description: String {
        switch self {
        case .standard: "default"
        case .file(let path, let line): "\(path):\(line)"
        case .option(let name): name
        case .value(let path): path
        }
    }
}

/// Which value: `section` as it stands between the brackets.
public struct ConfigurationPlace: Hashable, Sendable {
    public var section: String
    public var key: String

    public init(_ section: String, _ key: String) {
        self.section = section
        self.key = key
    }
}

/// A line that was not obeyed, and why.
public struct ConfigurationComplaint: Hashable, Sendable, CustomStringConvertible {
    public var file: String
    /// 0: the file as a whole.
    public var line: Int
    public var text: String

    public var description: String { line == 0 ? "\(file): \(text)" : "\(file):\(line): \(text)" }
}
