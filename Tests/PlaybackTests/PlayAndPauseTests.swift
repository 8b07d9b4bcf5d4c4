import Library
import Playback
import Testing

@Suite("Play, Pause and the load between", .timeLimit(.minutes(1)))
struct PlayAndPauseTests {
    @Test("AV-27 pause: paused with the episode loaded, stored at once; every change is shown once")
    func pause() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.pass(3)
        drive.wish(.pause)
        #expect(drive.did.pauses == [true] && drive.did.unloads == 0)
        #expect(drive.did.stored.map(\.reason) == [.pause] && isNear(drive.did.stored.first?.position, 603))
        #expect(drive.did.shows == [false])
        #expect(drive.shown.phase == .paused && drive.shown.reason == .driver)
        drive.wish(.stop)
        #expect(drive.did.isEmpty)
    }

    @Test("AV-08 paused position is frozen at the last real value and never above the length")
    func frozen() {
        var drive = Drive.playing(queued("A", at: 3590))
        drive.answers = false
        drive.pass(9)
        drive.wish(.pause)
        drive.pass(500)
        #expect(isNear(drive.position, 3599) && drive.did.stored.isEmpty)
        var late = Drive.playing(queued("A", at: 3598))
        late.answers = false
        late.pass(7)
        #expect(late.position == 3600)
        late.wish(.pause)
        #expect(late.position == 3600 && late.did.stored.map(\.position) == [3600])
    }

    @Test("stop means pause and save; play goes on in the engine without a load")
    func stop() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.stop)
        #expect(drive.did.pauses == [true] && drive.did.unloads == 0)
        drive.pass(10)
        drive.wish(.play)
        #expect(drive.did.pauses == [false] && drive.did.loads.isEmpty && drive.did.shows == [true])
        #expect(drive.shown.phase == .playing)
    }

    @Test("PB-19 saved at 1800 s: opened at the offset, nothing under 1790 is told or stored on any channel")
    func startsAtOffset() {
        var drive = Drive.ready(queued("A", at: 1800, away: 4000))
        drive.wish(.play)
        #expect(drive.did.loads.map(\.start) == [1790])
        #expect(drive.did.last { if case .load = $0 { true } else { false } } != nil)
        drive.engine(.opened(duration: 3600))
        drive.pass(2)
        #expect(drive.position == 1790 && drive.all.stored.isEmpty)
        drive.engine(.reached(1790))
        drive.pass(9.6)
        #expect(drive.all.stored.allSatisfy { $0.position >= 1800 } && !drive.all.stored.isEmpty)
    }

    @Test("PB-10 slow open: loading; the second Play loads nothing, Pause during the load is honoured")
    func slowOpen() {
        var drive = Drive.ready(queued("A", at: 600))
        drive.wish(.play)
        #expect(drive.shown.phase == .loading)
        drive.pass(0.5)
        drive.wish(.play)
        #expect(drive.did.isEmpty)
        drive.pass(20)
        drive.wish(.pause)
        #expect(drive.did.pauses == [true] && drive.did.stored.isEmpty)
        #expect(drive.shown.phase == .paused && drive.shown.reason == .driver)
        drive.starts()
        #expect(drive.shown.phase == .paused && drive.all.loads.count == 1)
        drive.wish(.play)
        #expect(drive.did.pauses == [false] && drive.shown.phase == .playing && drive.all.loads.count == 1)
    }

    @Test("PB-10 Pause and Play again during one load: it plays when the start is reached")
    func pausePlayInLoad() {
        var drive = Drive.ready(queued("A", at: 600))
        drive.wish(.play)
        drive.wish(.pause)
        drive.wish(.play)
        #expect(drive.did.pauses == [false] && drive.shown.phase == .loading && drive.all.loads.count == 1)
        drive.starts()
        #expect(drive.shown.phase == .playing)
    }

    @Test("PB-25 another place during the load: one load, then one seek there")
    func seekInLoad() {
        var drive = Drive.ready(queued("A", at: 600))
        drive.wish(.play)
        drive.wish(.seek(to: 1800))
        drive.wish(.skip(by: 30))
        drive.wish(.play)
        #expect(drive.all.loads.count == 1 && drive.all.seeks.isEmpty && drive.position == 1830)
        drive.starts()
        #expect(drive.did.seeks == [1830] && drive.all.stored.isEmpty)
        drive.arrives()
        #expect(drive.position == 1830 && drive.shown.phase == .playing)
    }

    @Test("PB-25 Pause and loss of the output after that keep the wished place")
    func seekInLoadLost() {
        var drive = Drive.ready(queued("A", at: 600))
        drive.wish(.play)
        drive.wish(.seek(to: 100))
        drive.wish(.pause)
        drive.learn(.outputLost)
        #expect(drive.all.stored.isEmpty && drive.position == 100)
    }

    @Test("PB-23 a load is shown first, then its place, and that as a jump only if it is not 0")
    func orderOfShows() {
        for (start, jumps) in [(600.0, true), (0, false)] {
            var drive = Drive.ready(queued("A", at: start))
            drive.all = []
            drive.wish(.play)
            #expect(drive.did.shows == [false])
            drive.starts()
            #expect(drive.all.shows.filter { $0 }.count == (jumps ? 1 : 0))
            #expect(drive.did.shows == [jumps])
        }
    }

    @Test("events of an older load are dropped")
    func stale() {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("B")])
        let old = drive.generation
        drive.wish(.nextEpisode)
        let events: [EngineEvent] = [
            .ended, .failed(.media), .failed(.device), .position(5, at: drive.now), .reached(7), .stalled(9), .flowing(9),
            .opened(duration: 1),
        ]
        for event in events {
            drive.learn(.engine(old, event))
            #expect(drive.did.isEmpty)
        }
        #expect(drive.shown.phase == .loading && drive.shown.episode?.id == id("B"))
    }

    @Test("the core's clock never goes back")
    func clockBack() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.pass(5)
        drive.learn(.timePassed)
        drive.now = drive.now.advanced(by: -100)
        drive.wish(.pause)
        #expect(drive.did.stored.map(\.position).allSatisfy { isNear($0, 605) })
    }

    @Test("an episode without anything to play fails plainly")
    func noEnclosure() {
        var empty = queued("A", at: 5)
        empty.episode.enclosures = []
        var drive = Drive.ready(empty, queue: [queued("B")])
        drive.wish(.play)
        #expect(drive.did.told == [.cannotPlay(id("A"))] && drive.shown.phase == .error)
        #expect(drive.shown.failure == .notFound && drive.position == 5 && drive.did.loads.isEmpty)
    }

    @Test("the audio enclosure is taken, an odd type is no hindrance")
    func enclosures() {
        var two = queued("A")
        two.episode.enclosures = [
            Enclosure(number: 1, url: "a.pdf", type: "text/pdf"), Enclosure(number: 2, url: "a", type: "Audio/mp4"),
        ]
        var drive = Drive.ready(two)
        drive.wish(.play)
        #expect(drive.did.lastLoad?.enclosure.number == 2)
        var odd = queued("B")
        odd.episode.enclosures = [Enclosure(number: 3, url: "a", type: nil)]
        drive.wish(.select(odd))
        #expect(drive.did.lastLoad?.enclosure.number == 3)
    }
}
