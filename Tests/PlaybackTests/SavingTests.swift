import Library
import Playback
import Testing

@Suite("What is stored, and when", .timeLimit(.minutes(1)))
struct SavingTests {
    @Test("undisturbed play: at most 12 writes a minute, and none is older than 10 s", arguments: [true, false])
    func rhythm(answers: Bool) {
        var drive = Drive.playing(queued("A", at: 600))
        drive.answers = answers
        var last = drive.now
        for _ in 0..<6000 {
            drive.pass(0.01)
            if let heard = drive.did.stored.last { last = heard.at }
            #expect(drive.now.seconds(since: last) <= 10)
        }
        #expect((1...12).contains(drive.all.stored.count))
        #expect(drive.all.stored.allSatisfy { $0.reason == .interval && $0.episode == id("A") && !$0.isUrgent })
    }

    @Test("save-every is bounded: a card lasts", arguments: [(0.1, 12), (5, 12), (60, 1), (Double.nan, 7)])
    func bounded(saveEvery: Double, most: Int) {
        var drive = Drive.playing(queued("A", at: 600)) { $0.saveEvery = saveEvery }
        drive.pass(61)
        #expect(drive.all.stored.count <= most && !drive.all.stored.isEmpty)
    }

    @Test("the engine is asked first, and its answer is what is stored")
    func asksFirst() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.answers = false
        drive.pass(9.5)
        #expect(drive.did.asks == 1 && drive.did.stored.isEmpty)
        drive.engine(.position(609.2, at: drive.now))
        #expect(drive.did.stored.map(\.position) == [609.2] && drive.did.shows.isEmpty)
        drive.pass(1)
        #expect(isNear(drive.position, 610.2))
    }

    @Test("corrections that add up are shown once, as a jump")
    func drift() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.answers = false
        drive.pass(1)
        drive.engine(.position(600.8, at: drive.now))
        #expect(drive.did.shows.isEmpty)
        drive.engine(.position(600.6, at: drive.now))
        #expect(drive.did.shows == [true])
        drive.engine(.position(600.6, at: drive.now))
        #expect(drive.did.isEmpty)
    }

    @Test("an answer from before the last jump is not believed, nor one that is no number")
    func oldAnswer() {
        var drive = Drive.playing(queued("A", at: 600))
        let before = drive.now
        drive.pass(1)
        drive.wish(.seek(to: 1200))
        drive.engine(.position(601, at: drive.now))
        drive.arrives()
        drive.engine(.position(601, at: before))
        drive.engine(.position(.nan, at: drive.now))
        #expect(drive.position == 1200)
    }

    @Test("nothing is written while paused, and nothing before the start was reached")
    func silence() {
        var drive = Drive.ready(queued("A", at: 600), queue: [queued("B")])
        drive.wish(.play)
        drive.pass(60)
        drive.wish(.pause)
        drive.wish(.play)
        drive.learn(.outputLost)
        drive.learn(.outputAppeared(car: Drive.car))
        drive.engine(.opened(duration: 3600))
        drive.engine(.failed(.media))
        drive.wish(.nextEpisode)
        drive.wish(.stop)
        #expect(drive.all.stored.isEmpty)
        drive.wish(.play)
        drive.starts()
        drive.wish(.pause)
        let count = drive.all.stored.count
        drive.pass(3600)
        #expect(drive.all.stored.count == count && count == 1)
    }

    @Test("in the rewound stretch the unrewound place stays the stored one until it is passed")
    func rewoundStretch() {
        var drive = Drive.playing(queued("A", at: 600)) { $0.rewind = [0, 3, 10, 20] }
        drive.wish(.pause)
        drive.pass(3700)
        drive.wish(.play)
        #expect(drive.did.seeks == [590] && drive.did.pauses == [false] && drive.position == 590)
        drive.arrives()
        drive.pass(3)
        drive.wish(.pause)
        #expect(isNear(drive.did.stored.first?.position, 600) && isNear(drive.position, 593))
        drive.wish(.play)
        #expect(drive.did.seeks.isEmpty)
        drive.pass(9.6)
        #expect(isNear(drive.did.stored.last?.position, 602.5))
    }

    @Test("the driver seeks out of the rewound stretch: then that place counts")
    func seekInStretch() {
        var drive = Drive.ready(queued("A", at: 600, away: 100_000))
        drive.wish(.play)
        drive.starts()
        drive.wish(.skip(by: -100))
        drive.arrives()
        drive.wish(.pause)
        #expect(drive.did.stored.map(\.position) == [480])
    }

    @Test("a stall: the place is stored once, then the disk has its peace")
    func stalled() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.pass(4)
        drive.engine(.stalled(604))
        drive.pass(600)
        #expect(drive.all.stored.map(\.position) == [604])
    }

    @Test("the file shorter than the server says: its own duration is stored")
    func durationStored() {
        var drive = Drive.playing(queued("A", at: 600, duration: 3600), duration: 3540)
        drive.wish(.pause)
        #expect(drive.did.stored.first?.duration == 3540)
        var unknown = Drive.playing(queued("A", at: 600, duration: 47_815_094), duration: nil)
        unknown.wish(.pause)
        #expect(unknown.did.stored.count == 1 && unknown.did.stored.first?.duration == nil)
    }

    @Test(
        "rewind on resume: nothing, 3 s after a minute, 10 s after an hour, 20 s after a day, a minute when unknown",
        arguments: [(0.0, 600.0), (59, 600), (60, 597), (3599, 597), (3600, 590), (86_400, 580), (1e12, 580), (nil, 597)])
    func rewinds(away: Double?, start: Seconds) {
        var drive = Drive()
        drive.learn(.restored(queued("A", at: 600, away: away), wasPlaying: true))
        drive.learn(.outputAppeared(car: nil))
        #expect(drive.did.loads.map(\.start) == [start])
    }

    @Test("rewind: never below 0, never past a chapter's start, and by the lists people write")
    func rewindBounds() {
        let cases: [(Queued, [Seconds], Seconds)] = [
            (queued("A", at: 4, away: 1e6), [0, 3, 10, 20], 0),
            (queued("A", at: 704, away: 1e6, chapters: SeekTests.chapters), [0, 3, 10, 20], 700),
            (queued("A", at: 700, away: 1e6, chapters: SeekTests.chapters), [0, 3, 10, 20], 700),
            (queued("A", at: 600, away: 1e6), [], 600), (queued("A", at: 600, away: 1e6), [7], 593),
            (queued("A", at: 600, away: 1e6), [0, .nan], 600), (queued("A", at: 600, away: 1e6), [-9], 600),
            (queued("A", at: -5, away: .nan), [0, 3], 0),
        ]
        for (first, rewind, start) in cases {
            var drive = Drive { $0.rewind = rewind }
            drive.learn(.restored(first, wasPlaying: true))
            drive.learn(.outputAppeared(car: nil))
            #expect(drive.did.loads.map(\.start) == [start])
        }
    }

    @Test("POS-20 while it plays at 900 s the server shows 50 s: nothing moves; what is queued follows")
    func pullNeverMoves() {
        var drive = Drive.playing(queued("A", at: 900), queue: [queued("B")])
        drive.learn(.positionLearned(id("A"), 50))
        #expect(drive.did.isEmpty && drive.position == 900)
        drive.learn(.positionLearned(id("B"), 70))
        drive.learn(.positionLearned(id("B"), .nan))
        drive.learn(.positionLearned(id("B"), -1))
        #expect(drive.player.queue.first?.position == 70)
        drive.engine(.stalled(900))
        drive.learn(.positionLearned(id("A"), 50))
        #expect(drive.position == 900)
    }

    @Test("POS-20 paused and not touched here since: the learned place counts at once, and nothing is stored for it")
    func pullWhilePaused() {
        var drive = Drive.playing(queued("A", at: 900))
        drive.wish(.pause)
        drive.learn(.positionLearned(id("A"), 900.5))
        #expect(drive.did.isEmpty)
        drive.learn(.positionLearned(id("A"), 1500))
        #expect(drive.position == 1500 && drive.did.unloads == 1 && drive.did.stored.isEmpty && drive.did.shows == [true])
        drive.learn(.positionLearned(id("A"), 1500.2))
        #expect(drive.did.isEmpty)
        drive.wish(.play)
        #expect(isNear(drive.did.lastLoad?.start, 1497))
        #expect(drive.player.current?.position == 1500)
    }

    @Test("POS-20 touched by the driver since: a pull moves nothing")
    func pullAfterTouch() {
        var drive = Drive.ready(queued("A", at: 900))
        drive.wish(.seek(to: 1000))
        drive.learn(.positionLearned(id("A"), 50))
        #expect(drive.position == 1000)
    }
}
