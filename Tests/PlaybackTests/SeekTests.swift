import Library
import Playback
import Testing

@Suite("Seeks, skips and speed", .timeLimit(.minutes(1)))
struct SeekTests {
    @Test("quick presses add up: one seek is under way, the next goes to the sum")
    func addUp() {
        var drive = Drive.playing(queued("A", at: 600))
        for _ in 0..<4 {
            drive.wish(.next, from: .car)
            drive.pass(0.1)
        }
        #expect(drive.all.seeks == [630] && isNear(drive.position, 720))
        drive.arrives()
        #expect(drive.all.seeks == [630, 720])
        drive.arrives()
        drive.pass(1)
        #expect(isNear(drive.position, 721) && drive.all.seeks.count == 2)
    }

    @Test("the engine keeps silent about a seek: the next is sent after a while all the same")
    func overdue() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.skip(by: 30))
        drive.wish(.skip(by: 30))
        drive.pass(3.1)
        #expect(drive.all.seeks == [630, 660])
    }

    @Test("PB-26 a seek that fails while it plays on: nothing ends, the true place is asked for and shown")
    func failedSeek() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.answers = false
        drive.wish(.seek(to: 3000))
        drive.pass(3.1)
        #expect(drive.did.asks == 1)
        drive.engine(.position(603, at: drive.now))
        #expect(drive.did.shows == [true] && isNear(drive.position, 603) && drive.shown.phase == .playing)
    }

    @Test("PB-26 the same while paused: what was stored is mended")
    func failedSeekPaused() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.answers = false
        drive.wish(.pause)
        drive.wish(.seek(to: 3000))
        drive.pass(6)
        #expect(drive.did.stored.map(\.position) == [3000] && drive.did.asks == 1)
        drive.engine(.position(600, at: drive.now))
        drive.pass(6)
        #expect(drive.did.stored.map(\.position) == [600])
    }

    @Test("AV-06 a seek that takes long is shown as waiting, at its target")
    func longSeek() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.seek(to: 1200))
        #expect(drive.shown.phase == .playing)
        drive.pass(0.6)
        #expect(drive.did.shows == [true] || drive.did.shows == [false])
        #expect(drive.shown.phase == .buffering && drive.position == 1200)
        drive.arrives()
        #expect(drive.shown.phase == .playing && drive.position == 1200)
    }

    @Test(
        "a seek clamps to the episode, and leaves something to be heard before its end",
        arguments: [(-5.0, 0.0), (0, 0), (1200, 1200), (3600, 3599), (99999, 3599)])
    func clamps(wish: Seconds, place: Seconds) {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.seek(to: wish))
        #expect(drive.did.seeks == [place] && drive.position == place)
    }

    @Test("what is no number moves nothing")
    func nonsense() {
        var drive = Drive.playing(queued("A", at: 600))
        for command in [Command.seek(to: .nan), .seek(to: .infinity), .skip(by: .nan), .skip(by: -.infinity), .rate(.nan)] {
            drive.wish(command)
            #expect(drive.did.isEmpty)
            drive.pass(1)
        }
        drive.wish(.seek(to: 1e300))
        #expect(drive.did.seeks == [3599])
    }

    @Test("back before the beginning is the beginning")
    func backToZero() {
        var drive = Drive.playing(queued("A", at: 5))
        drive.wish(.previous)
        #expect(drive.did.seeks == [0])
    }

    @Test("a skip past the end goes to the next episode: the old place is kept, it is not marked read")
    func pastTheEnd() {
        var drive = Drive.playing(queued("A", at: 3560), queue: [queued("B")])
        drive.wish(.next)
        drive.wish(.next)
        #expect(drive.did.lastLoad?.episode.id == id("B"))
        #expect(drive.did.stored.map(\.position) == [3560] && drive.did.stored.first?.episode == id("A"))
        #expect(drive.all.marks.isEmpty && drive.did.stored.first?.isFinished == false)
    }

    @Test("a seek past the end is a skip past the end, playing or paused: the next episode, the old one unread at its place")
    func seekPastTheEnd() {
        for pauses in [false, true] {
            var drive = Drive.playing(queued("A", at: 600), queue: [queued("B")])
            if pauses { drive.wish(.pause) }
            drive.wish(.seek(to: 4000))
            #expect(drive.shown.episode?.id == id("B"))
            #expect(drive.all.stored.last { $0.episode == id("A") }?.position == 600)
            #expect(drive.all.marks.isEmpty && drive.all.seeks.isEmpty)
        }
    }

    @Test("a skip past the end with nothing behind it stops a second before")
    func pastTheLastEnd() {
        var drive = Drive.playing(queued("A", at: 3590))
        drive.wish(.next)
        #expect(drive.did.seeks == [3599] && drive.did.loads.isEmpty)
    }

    @Test("a length nobody knows: the skip behind its end goes to the next, unmarked; with none it rests")
    func pastUnknownEnd() {
        for queue in [[queued("B")], []] {
            var drive = Drive.playing(queued("A", at: 600, duration: nil), duration: nil, queue: queue)
            drive.wish(.skip(by: 9000))
            drive.engine(.ended)
            #expect(drive.all.marks.isEmpty && drive.did.stored.allSatisfy { isNear($0.position, 600) })
            #expect(drive.did.loads.count == queue.count)
            #expect(queue.isEmpty == (drive.shown.phase == .paused))
        }
    }

    @Test("the end comes while a seek back is under way: the seek is what counts")
    func seekBackAtTheEnd() {
        var drive = Drive.playing(queued("A", at: 3590), queue: [queued("B")])
        drive.wish(.previous)
        drive.engine(.ended)
        #expect(drive.did.loads.map(\.start) == [3575] && drive.all.marks.isEmpty)
        #expect(drive.shown.episode?.id == id("A"))
    }

    @Test("PB-24 after the end of A the seek acts on B, and A's place stays")
    func seekAfterAdvance() {
        var drive = Drive.playing(queued("A", at: 3590), queue: [queued("B", at: 100)])
        drive.engine(.ended)
        drive.starts(duration: 1000)
        drive.all = []
        drive.wish(.skip(by: -10))
        #expect(drive.did.seeks == [90])
        drive.arrives()
        drive.pass(6)
        #expect(drive.all.stored.allSatisfy { $0.episode == id("B") } && !drive.all.stored.isEmpty)
    }

    @Test("seeks and speed changes within 5 s are one write")
    func oneWrite() {
        var drive = Drive.playing(queued("A", at: 600))
        for _ in 0..<5 {
            drive.wish(.skip(by: 30))
            drive.arrives()
            drive.pass(0.4)
        }
        drive.wish(.rate(1.5))
        #expect(drive.all.stored.isEmpty)
        drive.pass(4)
        #expect(drive.all.stored.count == 1 && drive.all.stored.first?.reason == .seek)
    }

    @Test("a seek while paused is written once, and once only")
    func pausedSeek() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.pause)
        drive.all = []
        drive.wish(.seek(to: 900))
        drive.wish(.skip(by: 30))
        drive.arrives()
        drive.arrives()
        drive.pass(100)
        #expect(drive.all.stored.map(\.position) == [930] && drive.position == 930 && drive.shown.phase == .paused)
    }

    @Test("a place wished while nothing is loaded is where it goes on, not rewound")
    func seekUnloaded() {
        var drive = Drive.ready(queued("A", at: 600, away: 100_000))
        drive.wish(.seek(to: 1200))
        #expect(drive.did == [.show(jumped: true)] && drive.position == 1200)
        drive.wish(.skip(by: 30))
        drive.wish(.play)
        #expect(drive.did.loads.map(\.start) == [1230])
    }

    @Test("Next and Previous as episodes", arguments: [Origin.car, .key])
    func episodes(origin: Origin) {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("B"), queued("C")]) { $0.next = .episode }
        drive.pass(10)
        drive.wish(.next, from: origin)
        #expect(drive.did.lastLoad?.episode.id == id("B") && drive.did.marks.isEmpty)
        #expect(drive.did.stored.map(\.reason) == [.episodeChange] && isNear(drive.did.stored.first?.position, 610))
        drive.starts()
        drive.pass(1)
        drive.wish(.previous, from: origin)
        #expect(drive.did.lastLoad?.episode.id == id("A") && isNear(drive.did.lastLoad?.start, 610))
        #expect(drive.player.queue.map(\.episode.id) == [id("B"), id("C")])
        drive.pass(1)
        drive.wish(.previous, from: origin)
        #expect(drive.did.loads.isEmpty && drive.position == 0)
    }

    static let chapters = [Chapter(start: 0, title: "a"), Chapter(start: 700, title: "b"), Chapter(start: 1400, title: "c")]

    @Test("Next and Previous as chapters; behind the last one comes the next episode")
    func byChapter() {
        let first = queued("A", at: 600, chapters: Self.chapters)
        var drive = Drive.playing(first, queue: [queued("B")]) { $0.next = .chapter }
        for (command, place) in [(Command.next, 700.0), (.next, 1400), (.previous, 700), (.previous, 0), (.next, 700)] {
            drive.wish(command)
            drive.arrives()
            #expect(drive.position == place)
        }
        drive.pass(10)
        drive.wish(.previous)
        drive.arrives()
        #expect(drive.position == 700)
        drive.wish(.next)
        drive.arrives()
        drive.wish(.next)
        #expect(drive.did.lastLoad?.episode.id == id("B") && drive.all.marks.isEmpty)
    }

    @Test(
        "PB-20 one chapter, or degenerate ones: Next stays a skip",
        arguments: [
            [Chapter(start: 0, title: "ch0")], [], [Chapter(start: 0, title: "a"), Chapter(start: 0, title: "b")],
            [Chapter(start: -5, title: "a"), Chapter(start: .nan, title: "b"), Chapter(start: 9999, title: "c")],
        ])
    func degenerate(chapters: [Chapter]) {
        var drive = Drive.playing(queued("A", at: 600, chapters: chapters)) { $0.next = .chapter }
        drive.wish(.next)
        #expect(drive.did.seeks == [630])
        drive.arrives()
        drive.wish(.previous)
        #expect(drive.did.seeks == [615])
    }

    @Test("PB-20 300 chapters, in disorder: in their order all the same")
    func manyChapters() {
        let chapters = (0..<300).map { Chapter(start: Double($0 * 7 % 300) * 10, title: "\($0)") }
        var drive = Drive.playing(queued("A", at: 605, chapters: chapters)) { $0.next = .chapter }
        drive.wish(.next)
        #expect(drive.did.seeks == [610])
    }

    @Test("speed clamps to 0.5…3, is set once and shown as a jump", arguments: [(0.1, 0.5), (1.5, 1.5), (9, 3)])
    func speed(wish: Double, rate: Double) {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.rate(wish))
        #expect(drive.did.rates == [rate] && drive.did.shows == [true] && drive.shown.rate == rate)
        drive.wish(.rate(wish))
        #expect(drive.did.isEmpty)
        drive.pass(4)
        #expect(isNear(drive.position, 600 + 4 * rate))
    }

    @Test("speed is kept for the next load and follows a changed setting")
    func speedKept() {
        var drive = Drive.ready(queued("A"))
        drive.wish(.rate(2))
        #expect(drive.did.rates.isEmpty)
        drive.wish(.play)
        #expect(drive.did.lastLoad?.rate == 2)
        drive.starts()
        var settings = PlayerSettings()
        settings.skipBack = 20
        drive.learn(.settingsChanged(settings))
        #expect(drive.did.rates.isEmpty)
        settings.rate = 1.2
        drive.learn(.settingsChanged(settings))
        #expect(drive.did.rates == [1.2])
    }
}
