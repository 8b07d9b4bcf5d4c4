import Glibc
import Testing

@testable import DemoKit

@Suite("Made-up episodes", .timeLimit(.minutes(1)))
struct EpisodeTests {
    @Test("three shows with three episodes each, every one with its own words and no open mark")
    func words() {
        #expect(SpokenShow.all.count == 3)
        var all: Set<String> = []
        for show in SpokenShow.all {
            #expect(show.episodes.count == 3)
            for number in show.episodes.indices {
                for chapter in show.chapters.indices {
                    let text = show.text(of: chapter, in: number)
                    #expect(!text.contains("{"))
                    #expect(text.count > 300)
                    for sentence in show.chapters[chapter].sentences.filter({ !$0.contains("{") }) {
                        #expect(text.contains(sentence))
                    }
                    all.insert(text)
                }
            }
        }
        #expect(all.count == 3 * 3 * 4)
    }

    @Test("a spoken episode is minutes long, its chapters ascend, and a second look makes nothing anew")
    func spoken() throws {
        let folder = try TemporaryFolder("episodes")
        defer { folder.remove() }
        let episode = try SpokenEpisode(.road, 1, in: folder.path)
        #expect(episode.duration > 120)
        #expect(episode.duration < 600)
        #expect(episode.chapters.map(\.title) == SpokenShow.road.chapters.map(\.title))
        #expect(episode.chapters[0].start == 0)
        #expect(zip(episode.chapters, episode.chapters.dropFirst()).allSatisfy { $0.start + 20 < $1.start })
        let probed = try ChildProcess.run([
            "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", episode.path,
        ])
        #expect(abs(Double(probed.filter { !$0.isWhitespace })! - episode.duration) < 0.2)
        var before = stat()
        stat(episode.path, &before)
        let again = try SpokenEpisode(.road, 1, in: folder.path)
        var after = stat()
        stat(episode.path, &after)
        #expect(again.duration == episode.duration)
        #expect(again.chapters.map(\.start) == episode.chapters.map(\.start))
        #expect(before.st_ino == after.st_ino)
    }

    @Test("artwork is a picture of our own")
    func picture() throws {
        let folder = try TemporaryFolder("artwork")
        defer { folder.remove() }
        let image = try #require(artwork(of: .lighthouse, in: folder.path))
        #expect(image.starts(with: [0x89, 0x50, 0x4e, 0x47]))
    }

    @Test("a tone episode is made once, and is as long as it says")
    func tones() throws {
        let folder = try TemporaryFolder("tones")
        defer { folder.remove() }
        let episode = try ToneEpisode(number: 4, seconds: 12, in: folder.path)
        let probed = try ChildProcess.run([
            "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", episode.path,
        ])
        #expect(abs(Double(probed.filter { !$0.isWhitespace })! - 12) < 0.2)
        #expect(try ToneEpisode(number: 4, seconds: 12, in: folder.path).path == episode.path)
    }
}
