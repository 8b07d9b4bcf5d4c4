import Library
import Linux

/// The configuration as it counts now: option, then state folder, then files, then defaults.
public struct LoadedConfiguration: Hashable, Sendable {
    public var values: Configuration
    public var folders: Folders
    /// The player token, with the place it was found at.
    public var token: PlayerToken?
    /// Keys that are not at their default.
    public private(set) var sources: [ConfigurationPlace: ConfigurationSource]
    /// Lines that were not obeyed; the service starts all the same and says so.
    public private(set) var complaints: [ConfigurationComplaint]
    /// What this user may not read; the service's own user may.
    public private(set) var unreadable: [String] = []

    public struct PlayerToken: Hashable, Sendable {
        public var value: Secret
        public var source: ConfigurationSource
    }

    public func source(of section: String, _ key: String) -> ConfigurationSource {
        sources[ConfigurationPlace(section, key)] ?? .standard
    }

    /// Throws only when a file that was asked for can't be read. Also for SIGHUP: reads everything anew.
    public static func load(
        _ options: RunOptions, environment: (String) -> String? = Environment.value
    ) throws(ConfigurationError) -> LoadedConfiguration {
        let folders = Folders(options) { name in
            environment(name).flatMap { $0.split(separator: ":").first.map(String.init) }
        }
        let named = options.config ?? environment("IPX_CAR_CONFIG")
        let reading = try ConfigurationFiles.read(named: named, in: folders.configuration)
        var loaded = LoadedConfiguration(
            values: reading.values, folders: folders, sources: reading.sources, complaints: reading.complaints)
        loaded.applyState()
        loaded.apply(options)
        loaded.findToken(credentials: environment("CREDENTIALS_DIRECTORY"))
        return loaded
    }

    private init(
        values: Configuration, folders: Folders, sources: [ConfigurationPlace: ConfigurationSource],
        complaints: [ConfigurationComplaint]
    ) {
        self.values = values
        self.folders = folders
        self.sources = sources
        self.complaints = complaints
    }

    private mutating func applyState() {
        let files = StateFiles(folder: folders.state)
        address(in: files.path(.server), to: \.server.address, "address")
        address(in: files.path(.tokenAddress), to: \.server.apiAddress, "api-address")
    }

    private mutating func address(
        in path: String, to key: WritableKeyPath<Configuration, ServerAddress?>, _ name: String
    ) {
        guard let line = line(of: path) else { return }
        do throws(ServerAddress.Refusal) {
            values[keyPath: key] = try ServerAddress(line)
            sources[ConfigurationPlace("server", name)] = .value(path)
        } catch {
            complaints.append(ConfigurationComplaint(file: path, line: 1, text: error.description))
        }
    }

    private mutating func apply(_ options: RunOptions) {
        if let server = options.server { override("server", "address", "--server") { $0.server.address = server } }
        if let listen = options.listen { override("remote", "listen", "--listen") { $0.remote.listen = listen } }
        if let level = options.logLevel { override("log", "level", "--log-level") { $0.log.level = level } }
    }

    private mutating func override(
        _ section: String, _ key: String, _ option: String, _ change: (inout Configuration) -> Void
    ) {
        change(&values)
        sources[ConfigurationPlace(section, key)] = .option(option)
    }

    private mutating func findToken(credentials: String?) {
        let places = [
            credentials.map { $0 + "/ipx-token" }, values.server.tokenFile, StateFiles(folder: folders.state).path(.token),
        ]
        for path in places.compactMap({ $0 }) {
            guard let line = line(of: path) else { continue }
            return token = PlayerToken(value: Secret(line), source: .value(path))
        }
    }

    /// An unreadable file is no flaw of the configuration when it is not ours to read.
    private mutating func line(of path: String) -> String? {
        do throws(Errno) {
            return try firstLine(of: path)
        } catch {
            if error == .accessDenied {
                unreadable.append(path)
            } else {
                complaints.append(ConfigurationComplaint(file: path, line: 0, text: error.description))
            }
            return nil
        }
    }
}

extension Errno {
    /// EACCES, errno(3).
    static let accessDenied = Errno(13)
}
