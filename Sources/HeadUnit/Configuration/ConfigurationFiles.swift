import INIFile
import Linux

/// Which files make the configuration, and their reading.
enum ConfigurationFiles {
    /// The named file (`--config`, else `IPX_CAR_CONFIG`) alone, or the folder's `ipx-car.conf` and then its
    /// `ipx-car.conf.d/*.conf` by name.
    static func paths(named: String?, in folder: String) -> [String] {
        if let named { return [named] }
        let dropIns = (try? Directory("\(folder)/ipx-car.conf.d").names()) ?? []
        let names = dropIns.filter { $0.hasSuffix(".conf") && !$0.hasPrefix(".") }.sorted()
        return ["\(folder)/ipx-car.conf"] + names.map { "\(folder)/ipx-car.conf.d/\($0)" }
    }

    static func read(named: String?, in folder: String) throws(ConfigurationError) -> ConfigurationReading {
        var reading = ConfigurationReading()
        for path in paths(named: named, in: folder) {
            do throws(Errno) {
                reading.read(INIFile(bytes: try SmallFile.read(path)), from: path)
            } catch {
                if named != nil { throw ConfigurationError(file: path, cause: error) }
                // No file at all is a configuration too: every default.
                if error != .noSuchFile { reading.complain(path, 0, error.description) }
            }
        }
        reading.finish()
        return reading
    }
}

/// The file that was asked for can't be read.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    public var file: String
    public var cause: Errno

    public init(file: String, cause: Errno) {
        self.file = file
        self.cause = cause
    }

    public var description: String { "\(file): \(cause)" }
}
