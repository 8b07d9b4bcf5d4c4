import DemoKit
import HeadUnit
import Linux

/// A configuration folder and a state folder of their own.
final class ConfigurationFixture {
    let folder: TemporaryFolder
    var options = RunOptions()
    var environment: [String: String]

    init() throws {
        folder = try TemporaryFolder("configuration")
        environment = ["CONFIGURATION_DIRECTORY": folder.path + "/etc", "STATE_DIRECTORY": folder.path + "/state"]
        try Folder.make(folder.path + "/etc/ipx-car.conf.d")
        try Folder.make(folder.path + "/state")
    }

    deinit { folder.remove() }

    func write(_ text: String, to name: String) throws { try SmallFile.write(Array(text.utf8), to: path(name)) }

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    func load() throws -> LoadedConfiguration { try LoadedConfiguration.load(options) { environment[$0] } }

    /// The configuration of one file, and what was said about it without the file's path.
    static func loading(_ text: String) throws -> (values: Configuration, complaints: [String]) {
        let fixture = try ConfigurationFixture()
        try fixture.write(text, to: "etc/ipx-car.conf")
        let loaded = try fixture.load()
        let prefix = fixture.path("etc/ipx-car.conf:")
        return (loaded.values, loaded.complaints.map { String($0.description.dropFirst(prefix.count)) })
    }
}
