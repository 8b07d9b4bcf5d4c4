import DemoKit
import Glibc
import Linux

/// What one call of the built program did.
struct Run: Equatable {
    var code: Int32
    var output: String
    var errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// The built `ipx-car`, in an environment of its own: a bus, a configuration folder and a state folder.
final class CommandLine: Sendable {
    let folder: TemporaryFolder
    let environment: [String: String]

    /// Nil: no bus at all.
    init(bus: String?) throws {
        folder = try TemporaryFolder("cli")
        var environment = ChildProcess.environment.filter { !$0.key.hasSuffix("_DIRECTORY") && $0.key != "IPX_CAR_CONFIG" }
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus ?? "unix:path=\(folder.path)/none"
        environment["CONFIGURATION_DIRECTORY"] = folder.path + "/etc"
        environment["STATE_DIRECTORY"] = folder.path + "/state"
        self.environment = environment
        try Folder.make(folder.path + "/etc")
    }

    deinit { folder.remove() }

    /// Beside the test bundle, wherever this build put it.
    static let program = {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count)
        let own = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let bundle = Swift.CommandLine.arguments.first { $0.contains(".xctest") } ?? own
        let candidates = [own, bundle].map { Folder.parent(of: $0) + "/ipx-car" }
        return candidates.first { access($0, X_OK) == 0 } ?? "ipx-car"
    }()

    /// `input` is standard input, nil an empty one.
    func run(_ words: [String], input: String? = nil) async throws -> Run {
        let name = RandomBytes.hex(4)
        let (output, errors, typed) = (
            "\(folder.path)/\(name).out", "\(folder.path)/\(name).err", "\(folder.path)/\(name).in"
        )
        try SmallFile.write(Array((input ?? "").utf8), to: typed)
        let shell = ["sh", "-c", #"input=$1; shift; exec "$@" <"$input""#, "sh", typed, Self.program]
        let child = try ChildProcess(shell + words, environment: environment, output: .file(output), errors: .file(errors))
        try await until("\(words) ends") { !child.isRunning }
        guard case .exited(let code) = child.wait() else { return Run(code: -1, output: "", errors: "killed") }
        return Run(code: code, output: try text(output), errors: try text(errors))
    }

    func text(_ path: String) throws -> String { String(decoding: try SmallFile.read(path), as: UTF8.self) }
}

struct TookTooLong: Error { var what: String }

/// Waits for a condition with a deadline, without holding a thread of the pool.
func until(_ what: String, seconds: Int64 = 20, _ condition: () async throws -> Bool) async throws {
    let deadline = Clocks.monotonic() + seconds * 1_000_000_000
    while try await !condition() {
        guard Clocks.monotonic() < deadline else { throw TookTooLong(what: what) }
        try await Task.sleep(for: .milliseconds(5))
    }
}
