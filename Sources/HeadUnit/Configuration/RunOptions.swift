import Library
import Linux

/// The options of `run`; each overrides its configuration key for this run.
public struct RunOptions: Hashable, Sendable {
    /// `--config FILE`: only this file is read, and it must be there.
    public var config: String?
    /// `--server URL`
    public var server: ServerAddress?
    /// `--state DIR`
    public var state: String?
    /// `--cache DIR`
    public var cache: String?
    /// `--listen ADDR:PORT`
    public var listen: ListenAddress?
    /// `--log-level error|info|debug`
    public var logLevel: Log.Level?

    public init() {}
}

/// Where the service's files are.
public struct Folders: Hashable, Sendable {
    public var state: String
    public var cache: String
    public var configuration: String

    /// An option first, then what the service manager made (systemd.exec(5)), then the usual place.
    public init(_ options: RunOptions, environment: (String) -> String? = Environment.folder) {
        state = options.state ?? environment("STATE_DIRECTORY") ?? "/var/lib/ipx-car"
        cache = options.cache ?? environment("CACHE_DIRECTORY") ?? "/var/cache/ipx-car"
        configuration = environment("CONFIGURATION_DIRECTORY") ?? "/etc/ipx-car"
    }
}
