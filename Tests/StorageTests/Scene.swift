import EventLoop
import Foundation
import Library
import Linux
import Playback
import Storage

/// A state folder of its own for one test, and what the tests say about it.
final class Scene: Sendable {
    let folder = "/tmp/ipx-car-test-\(UUID().uuidString)"
    let lines = Lines()
    var path: String { folder + "/ipx-car.db" }

    @Core func open() throws -> Store { try Store(folder: folder, log: Log { [lines] in lines.append($0) }) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }
}

final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    func append(_ line: String) { lock.withLock { lines.append(line) } }
    var text: String { lock.withLock { lines.joined(separator: "\n") } }
}

func id(_ name: String, feed: String = "f1") -> EpisodeID { EpisodeID(server: "s1", feed: feed, guid: name) }

func stamp(_ seconds: Double = 100, wall: Int64? = nil, boot: String = "boot-1", isUncertain: Bool = false) -> Stamp {
    Stamp(
        boot: boot, at: Instant(nanoseconds: Int64(seconds * 1e9)), wall: wall.map { WallTime(milliseconds: $0 * 1000) },
        isUncertain: isUncertain)
}

func record(
    _ name: String, at position: Double, duration: Double? = 3600, heard: Stamp = stamp(), isFinished: Bool = false
) -> PositionRecord {
    PositionRecord(episode: id(name), position: position, duration: duration, listened: heard, isFinished: isFinished)
}

func entry(
    _ name: String, feed: String = "f1", published: Int64? = 1000, position: Double? = nil, isRead: Bool = false,
    updated: Int64? = nil, version: Int? = nil
) -> Episode {
    Episode(
        id: id(name, feed: feed), title: "Title of \(name)", feedTitle: "Show \(feed)",
        published: published.map { WallTime(milliseconds: $0) }, duration: 3600, position: position, isRead: isRead,
        updated: updated.map { WallTime(milliseconds: $0 * 1000) }, version: version, artwork: "/api/art?feed=\(feed)",
        chapters: [Chapter(start: 0, title: "Intro"), Chapter(start: 60, title: "Talk")],
        enclosures: [Enclosure(number: 0, url: "/media/\(name).mp3", type: "audio/mpeg", length: 5_000_000)])
}
