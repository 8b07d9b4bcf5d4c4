import Library
import Playback
import Testing

@Suite("Read marks, ends and failures", .timeLimit(.minutes(1)))
struct EndTests {
    @Test("read when 90 % is passed while playing and 10 s more are played, once")
    func readMark() {
        var drive = Drive.playing(queued("A", at: 3230))
        drive.pass(19.9)
        #expect(drive.all.marks.isEmpty)
        drive.pass(0.2)
        #expect(drive.did.marks == [id("A")])
        #expect(drive.did.stored.map(\.reason) == [.read] && isNear(drive.did.stored.first?.position, 3250))
        #expect(drive.shown.episode?.isRead == true && drive.shown.phase == .playing)
        drive.pass(300)
        #expect(drive.all.marks.count == 1)
    }

    @Test("a pause between does not begin the 10 s anew; at double speed they are 10 s of the episode")
    func readMarkPaused() {
        var drive = Drive.playing(queued("A", at: 3235)) { $0.rate = 2 }
        drive.pass(5)
        drive.wish(.pause)
        drive.pass(30)
        #expect(drive.all.marks.isEmpty)
        drive.wish(.play)
        drive.pass(2.6)
        #expect(drive.all.marks == [id("A")])
    }

    @Test("POS-13 seek to 95 %, 2 s later back to 20 %: not read; played on there for 10 s: read")
    func scrubbing() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.seek(to: 3420))
        drive.arrives()
        drive.pass(2)
        drive.wish(.seek(to: 720))
        drive.arrives()
        drive.pass(60)
        #expect(drive.all.marks.isEmpty)
        drive.wish(.seek(to: 3420))
        drive.arrives()
        drive.pass(10.1)
        #expect(drive.all.marks == [id("A")])
    }

    @Test("POS-13 again and again for 9 s is not 10 s")
    func scrubbingOften() {
        var drive = Drive.playing(queued("A", at: 600))
        for _ in 0..<10 {
            drive.wish(.seek(to: 3420))
            drive.arrives()
            drive.pass(9)
        }
        #expect(drive.all.marks.isEmpty)
    }

    @Test(
        "AV-10 POS-18 an unknown or absurd length never marks, and is told as unknown",
        arguments: [nil, 0, -5, 1, .nan, .infinity, 47_815_094, 300] as [Seconds?])
    func unknownLength(listed: Seconds?) {
        var drive = Drive.playing(queued("A", at: 600, duration: listed), duration: nil)
        drive.pass(3600)
        #expect(drive.all.marks.isEmpty && drive.shown.duration == nil && isNear(drive.position, 4200))
    }

    @Test("POS-18 the server's length helps out while it makes sense, the file's own wins", arguments: [nil, 0, -1, 3600])
    func whichLength(file: Seconds?) {
        var drive = Drive.playing(queued("A", at: 600, duration: 1200), duration: file)
        #expect(drive.shown.duration == (file == 3600 ? 3600 : 1200))
        drive.pass(600 * 0.9)
        #expect(drive.all.marks.isEmpty == (file == 3600))
    }

    @Test("POS-10 unknown length, 60 s played, another one chosen: the old one stays unread at 60 s")
    func changedEpisode() {
        var drive = Drive.playing(queued("A", duration: nil), duration: nil)
        drive.pass(60)
        drive.wish(.select(queued("B")))
        #expect(drive.all.marks.isEmpty && isNear(drive.did.stored.first?.position, 60))
        #expect(drive.did.stored.first?.episode == id("A") && drive.did.lastLoad?.episode.id == id("B"))
    }

    @Test("POS-12 the car goes at 91 %, read already: the same episode goes on there, to its true end")
    func after90() {
        var drive = Drive.playing(queued("A", at: 3200), queue: [queued("B")])
        drive.pass(76)
        #expect(drive.all.marks == [id("A")])
        drive.learn(.carLeft)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.lastLoad?.episode.id == id("A") && isNear(drive.did.lastLoad?.start, 3276))
        drive.starts()
        drive.engine(.ended)
        #expect(drive.did.lastLoad?.episode.id == id("B"))
    }

    @Test("true end: read, position 0 and heard whole, then the next one; the queue moves by exactly one")
    func trueEnd() throws {
        var drive = Drive.playing(queued("A", at: 3590), queue: [queued("B", at: 40), queued("C")])
        drive.pass(9.9)
        drive.engine(.ended)
        let mark = try #require(drive.did.firstIndex(of: .markRead(id("A"))))
        let store = try #require(drive.did.firstIndex { if case .store = $0 { true } else { false } })
        let load = try #require(drive.did.firstIndex { if case .load = $0 { true } else { false } })
        #expect(mark < store && store < load)
        let heard = try #require(drive.did.stored.first)
        #expect(heard.position == 0 && heard.isFinished && heard.reason == .end && heard.episode == id("A"))
        #expect(drive.did.lastLoad?.start == 40 && drive.did.contains(.currentChanged(id("B"))))
        #expect(drive.player.queue.map(\.episode.id) == [id("C")])
    }

    @Test("AV-27 between two episodes the car goes on seeing Playing, for 2 s")
    func keepsPlaying() {
        var drive = Drive.playing(queued("A", at: 3590), queue: [queued("B")])
        drive.engine(.ended)
        #expect(drive.shown.phase == .loading && drive.shown.keepsPlaying)
        drive.pass(1.9)
        #expect(drive.shown.keepsPlaying)
        drive.pass(0.2)
        #expect(!drive.shown.keepsPlaying && drive.did.shows == [false])
        drive.starts()
        #expect(drive.shown.phase == .playing)
    }

    @Test("read by the 90 % rule, then the end: marked once")
    func markedOnce() {
        var drive = Drive.playing(queued("A", at: 3230))
        drive.pass(100)
        drive.engine(.ended)
        #expect(drive.all.marks == [id("A")])
    }

    @Test("the last one ends: rests at its end, nothing in the engine; Play starts it anew, or takes what came since")
    func lastEnd() {
        var drive = Drive.playing(queued("A", at: 3590))
        drive.pass(10)
        drive.engine(.ended)
        #expect(drive.shown.phase == .paused && drive.shown.reason == nil && drive.position == 3600)
        #expect(drive.did.unloads == 1 && !drive.player.wantsToPlay && drive.player.current?.position == 0)
        drive.wish(.pause)
        drive.learn(.positionLearned(id("A"), 3000))
        #expect(drive.did.isEmpty)
        var later = drive
        drive.wish(.play)
        #expect(drive.did.loads.map(\.start) == [0])
        later.learn(.queueChanged([queued("A"), queued("B")]))
        #expect(later.player.queue.map(\.episode.id) == [id("B")])
        var next = later
        later.wish(.play)
        #expect(later.did.lastLoad?.episode.id == id("B"))
        next.wish(.nextEpisode)
        #expect(next.did.lastLoad?.episode.id == id("B"))
        next.wish(.previousEpisode)
        #expect(next.did.lastLoad?.start == 0)
    }

    @Test("back from the end with a skip: goes on there")
    func backFromEnd() {
        var drive = Drive.playing(queued("A", at: 3590)) { $0.resume = .always }
        drive.pass(10)
        drive.engine(.ended)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.isEmpty)
        drive.wish(.skip(by: -15))
        drive.wish(.play)
        #expect(drive.did.loads.map(\.start) == [3585])
    }

    @Test("the end comes while paused at the last moment: finished, and the next one waits")
    func endWhilePaused() {
        var drive = Drive.playing(queued("A", at: 3599), queue: [queued("B", at: 7)])
        drive.wish(.pause)
        drive.engine(.ended)
        #expect(drive.did.marks == [id("A")] && drive.did.loads.isEmpty && drive.did.unloads == 1)
        #expect(drive.shown.phase == .paused && drive.shown.reason == .driver && drive.position == 7)
    }

    @Test("PB-01 PB-02 no failure, stall or stop advances: same episode, not read, same place")
    func nothingElseAdvances() {
        let failures: [Failure] = [.offline, .unauthorized, .notFound, .media, .device, .internal]
        for failure in failures {
            var drive = Drive.playing(queued("A", at: 600), queue: [queued("B", kept: true)])
            drive.pass(12)
            drive.engine(.failed(failure))
            drive.pass(600)
            #expect(drive.shown.episode?.id == id("A") && drive.player.queue.count == 1)
            #expect(isNear(drive.position, 612) && drive.all.marks.isEmpty && drive.all.loads.isEmpty)
        }
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("B")])
        drive.wish(.stop)
        drive.learn(.queueChanged([queued("C")]))
        #expect(drive.shown.episode?.id == id("A") && drive.all.marks.isEmpty)
    }

    @Test("can't be played: told once, stays; Play tries again, Next goes to the next")
    func mediaFailure() {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("B")])
        drive.pass(5)
        drive.engine(.failed(.media))
        #expect(drive.did.told == [.cannotPlay(id("A"))] && drive.did.unloads == 1)
        #expect(drive.shown.phase == .error && drive.shown.failure == .media && drive.did.stored.count == 1)
        drive.wish(.pause)
        drive.learn(.positionLearned(id("A"), 100))
        #expect(drive.position == 100)
        drive.wish(.seek(to: 300))
        var again = drive
        again.wish(.play)
        #expect(again.did.loads.map(\.start) == [300])
        drive.wish(.next, from: .car)
        #expect(drive.did.lastLoad?.episode.id == id("B") && drive.did.stored.isEmpty)
    }

    @Test("failures while paused only empty the engine; Play loads again")
    func failsWhilePaused() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.pause)
        drive.engine(.failed(.offline))
        #expect(drive.did == [.unload] && drive.shown.reason == .driver)
        drive.wish(.play)
        #expect(drive.did.loads.count == 1)
    }

    @Test("POS-17 the file is shorter than the place: clamped to it, never 0, never finished")
    func shorterFile() {
        var drive = Drive.ready(queued("A", at: 3590), queue: [queued("B")])
        drive.wish(.play)
        let first = drive.generation
        drive.engine(.opened(duration: 3540))
        #expect(drive.did.loads.map(\.start) == [3536] && drive.shown.duration == 3540)
        drive.learn(.engine(first, .ended))
        #expect(drive.did.isEmpty)
        drive.starts(duration: 3540)
        drive.wish(.pause)
        #expect(drive.did.stored.map(\.position) == [3539] && drive.all.marks.isEmpty)
    }

    @Test("POS-17 the same while paused during the load")
    func shorterFilePaused() {
        var drive = Drive.ready(queued("A", at: 3590))
        drive.wish(.play)
        drive.wish(.pause)
        drive.engine(.opened(duration: 3540))
        #expect(drive.did.unloads == 1 && drive.position == 3540)
        drive.wish(.play)
        #expect(drive.did.loads.map(\.start) == [3536])
    }

    @Test("an end before the start was reached is no end, unless the start lay there")
    func endBeforeStart() {
        var drive = Drive.ready(queued("A", at: 600), queue: [queued("B")])
        drive.wish(.play)
        drive.engine(.ended)
        #expect(drive.shown.phase == .error && drive.position == 600 && drive.all.marks.isEmpty)
        var last = Drive.ready(queued("A", at: 3599, away: 0), queue: [queued("B")], settings: { $0.rewind = [0] })
        last.wish(.play)
        last.engine(.opened(duration: 3600))
        last.engine(.ended)
        #expect(last.did.lastLoad?.episode.id == id("B"))
    }
}
