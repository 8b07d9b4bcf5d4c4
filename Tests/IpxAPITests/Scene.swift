import DemoKit
import EventLoop
import Glibc
import HTTPClient
import Library
import Linux
import Synchronization
import Testing

@testable import IpxAPI

/// A real client before a real server that can be told to misbehave.
@Core
final class Scene {
    static let token = "token-of-the-test"
    static let login = DemoLogin(user: "driver@example.org", password: "p&ss wörd=1")

    let demo: DemoServer
    let server: IpxServer
    let client = HTTPClient(HTTPClient.Configuration(userAgent: "ipx-car/test"))
    let lines = Lines()
    private(set) var dates: [(date: WallTime, at: Instant)] = []

    /// `withToken` false: signed in by cookie, or not at all.
    init(
        _ library: DemoLibrary = .threeShows, withToken: Bool = true, jar: String? = nil, isAPIAddress: Bool = false,
        basePath: String = "", faults: [Fault] = []
    ) throws {
        demo = try DemoServer(
            library: library, token: Self.token, login: Self.login, isAPIAddress: isAPIAddress, basePath: basePath)
        demo.faults = faults
        try demo.start()
        let access = ServerAccess(
            server: try ServerAddress(demo.origin + basePath), token: withToken ? Secret(Self.token) : nil, cookieJar: jar)
        server = IpxServer(
            client: client, access: access, device: "ipx-car test",
            log: Log(level: .debug, write: lines.add))
        server.onDate = { [unowned self] in dates.append(($0, $1)) }
    }

    deinit { demo.stop() }

    /// How the call failed; nil when it didn't.
    func failure<T: Sendable>(of call: @Core () async throws -> T) async -> CallFailure? {
        do {
            _ = try await call()
            return nil
        } catch let error as CallFailure {
            return error
        } catch {
            Issue.record(error)
            return nil
        }
    }

    static func id(_ feed: String, _ guid: String) -> EpisodeID { EpisodeID(server: "demo-ipx", feed: feed, guid: guid) }

    static func record(_ feed: String, _ guid: String, at position: Seconds, version: Int?, duration: Seconds? = 3600)
        -> PositionRecord
    {
        PositionRecord(
            episode: id(feed, guid), position: position, duration: duration,
            listened: Stamp(boot: "boot", at: Instant(nanoseconds: 0)), baseVersion: version)
    }
}

/// What was logged, from any thread.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    var add: @Sendable (String) -> Void { { line in self.lines.withLock { $0.append(line) } } }
}

extension DemoLibrary {
    /// Feeds f1…f3 with 4 episodes each, f1's third read; published one a day, round the feeds.
    static var threeShows: DemoLibrary {
        DemoLibrary(
            shows: (1...3).map { feed in
                DemoShow(
                    id: "f\(feed)", title: "Show \(feed)",
                    episodes: (1...4).map { number in
                        let name = "f\(feed)/\(number).mp3"
                        return DemoEpisode(
                            guid: "f\(feed)-\(number)", title: "Episode \(number)",
                            published: 1_760_000_000 + Double(number * 3 + feed) * 86400, duration: 3600,
                            position: number == 2 ? 754.3 : 0, isRead: feed == 1 && number == 3, version: number,
                            chapters: [(0, "Start"), (60.5, "Main")],
                            enclosures: [DemoEnclosure(name: name, content: .bytes(Array(name.utf8)))])
                    })
            })
    }

    /// One show with this one episode.
    static func one(_ episode: DemoEpisode) -> DemoLibrary {
        DemoLibrary(shows: [DemoShow(id: "f1", title: "Show 1", episodes: [episode])])
    }
}

/// A folder that goes with the test.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/ipx-api-test.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure.internal }
        path = template.withUnsafeBufferPointer { String(decoding: $0.dropLast().map { UInt8($0) }, as: UTF8.self) }
    }

    deinit {
        for name in ["cookies.txt", "cookies.txt.new"] { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    var jar: String { path + "/cookies.txt" }
}
