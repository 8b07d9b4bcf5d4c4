import Library
import Playback
import Testing

@Suite("Stalls and dead zones", .timeLimit(.minutes(1)))
struct OutOfBytesTests {
    @Test("AV-06 a stall: buffering, the place stands; flowing: goes on there, shown as a jump")
    func stall() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.pass(5)
        drive.engine(.stalled(604.9))
        #expect(drive.shown.phase == .buffering && drive.shown.reason == nil && drive.did.shows.count == 1)
        drive.pass(15)
        #expect(drive.position == 604.9 && drive.did.told.isEmpty)
        drive.wish(.play)
        #expect(drive.did.isEmpty)
        drive.engine(.flowing(604.9))
        #expect(drive.did.shows == [true] && drive.shown.phase == .playing)
        drive.pass(2)
        #expect(isNear(drive.position, 606.9))
    }

    @Test("AV-06 at 1.5x the place runs with the speed")
    func speed() {
        var drive = Drive.playing(queued("A", at: 600)) { $0.rate = 1.5 }
        drive.pass(60)
        #expect(isNear(drive.position, 690) && drive.shown.rate == 1.5)
        #expect(isNear(drive.shown.position(at: drive.now.advanced(by: 2)), 693))
    }

    @Test("stalled, and no network: the reason is told once; flowing again goes on by itself")
    func stalledOffline() {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("B")])
        drive.engine(.stalled(600))
        drive.learn(.networkChanged(.offline))
        #expect(drive.did.told == [.outOfBytes(.offline)])
        #expect(drive.shown.phase == .buffering && drive.shown.reason == .outOfBytes)
        drive.learn(.networkChanged(.offline))
        drive.pass(600)
        #expect(drive.did.told.isEmpty && drive.player.wantsToPlay)
        drive.learn(.networkChanged(.online))
        #expect(drive.shown.reason == nil && drive.shown.phase == .buffering)
        drive.engine(.flowing(600))
        #expect(drive.shown.phase == .playing)
    }

    @Test(
        "what is missing is named",
        arguments: [
            (NetworkState.offline, DriverMessage.outOfBytes(.offline)), (.signIn, .signIn),
            (.waitingForTime, .waitingForTime),
        ])
    func named(network: NetworkState, message: DriverMessage) {
        var drive = Drive.playing(queued("A", at: 600), network: network)
        drive.engine(.stalled(600))
        #expect(drive.did.told == [message])
    }

    @Test("a load that waits for bytes offline has its reason too")
    func loadingOffline() {
        var drive = Drive.ready(queued("A", at: 600), queue: [queued("B", kept: true)], network: .offline)
        drive.wish(.play)
        drive.engine(.stalled(0))
        #expect(drive.shown.phase == .loading && drive.shown.reason == .outOfBytes && drive.position == 597)
        drive.wish(.play)
        #expect(drive.did.lastLoad?.episode.id == id("B") && drive.did.stored.isEmpty)
        #expect(drive.player.queue.first?.position == 600)
    }

    @Test("offline, and the file does not even open: the reason is told after a while, once; then it opens after all")
    func opensNever() {
        var drive = Drive.ready(queued("A", at: 600), queue: [queued("B", kept: true)], network: .offline)
        drive.wish(.play)
        drive.pass(4)
        #expect(drive.did.isEmpty && drive.shown.reason == nil)
        drive.pass(60)
        #expect(drive.did.told == [.outOfBytes(.offline)] && drive.shown.phase == .loading)
        #expect(drive.shown.reason == .outOfBytes)
        var kept = drive
        kept.wish(.next, from: .car)
        #expect(kept.did.lastLoad?.episode.id == id("B"))
        drive.starts()
        #expect(drive.shown.phase == .playing && drive.shown.reason == nil)
    }

    @Test("a slow opening has its reason only while there is no network")
    func opensSlowly() {
        var drive = Drive.ready(queued("A", at: 600))
        drive.wish(.play)
        drive.pass(20)
        #expect(drive.did.isEmpty)
        drive.learn(.networkChanged(.signIn))
        #expect(drive.did.told == [.signIn])
        drive.learn(.networkChanged(.online))
        #expect(drive.shown.reason == nil)
        drive.pass(20)
        #expect(drive.did.isEmpty)
    }

    @Test("fetched bytes are played out: waits with its reason, told once, stored; the queue stays")
    func playedOut() {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("B"), queued("C", kept: true)], network: .offline)
        drive.pass(20)
        drive.engine(.stalled(620))
        drive.engine(.failed(.offline))
        #expect(drive.shown.phase == .paused && drive.shown.reason == .outOfBytes)
        #expect(drive.all.told == [.outOfBytes(.offline)] && drive.did.stored.map(\.position) == [620])
        #expect(drive.player.queue.count == 2 && drive.player.wantsToPlay && drive.did.unloads == 1)
    }

    @Test(
        "Play or Next then takes the next kept one, and the waiting one stays where it was",
        arguments: [Command.play, .next, .nextEpisode, .toggle])
    func takesKept(command: Command) {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("B"), queued("C", kept: true)], network: .offline)
        drive.engine(.failed(.offline))
        drive.wish(command)
        #expect(drive.did.lastLoad?.episode.id == id("C"))
        #expect(drive.player.queue.map(\.episode.id) == [id("A"), id("B")] && drive.player.queue.first?.position == 600)
        #expect(drive.all.marks.isEmpty)
    }

    @Test("the same from buffering: the waiting one is stored, once")
    func takesKeptFromStall() {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("C", kept: true)], network: .offline) {
            $0.next = .chapter
        }
        drive.pass(5)
        drive.engine(.stalled(605))
        drive.wish(.next)
        #expect(drive.did.loads.count == 1)
        drive.wish(.previousEpisode)
        #expect(drive.did.seeks.isEmpty && drive.position == 0)
        var chapters = Drive.playing(
            queued("A", at: 600, chapters: SeekTests.chapters), queue: [queued("C", kept: true)], network: .offline
        ) { $0.next = .chapter }
        chapters.engine(.stalled(605))
        chapters.wish(.next)
        #expect(chapters.did.lastLoad?.episode.id == id("C") && chapters.did.stored.map(\.position) == [605])
    }

    @Test("none is kept: Play tries the same one again, and says so")
    func noneKept() {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("B")], network: .offline)
        drive.engine(.failed(.offline))
        drive.wish(.play)
        #expect(drive.did.lastLoad?.episode.id == id("A"))
        drive.engine(.failed(.offline))
        #expect(drive.did.told == [.outOfBytes(.offline)])
        var stalled = Drive.playing(queued("A", at: 600), network: .offline)
        stalled.engine(.stalled(600))
        stalled.wish(.play)
        #expect(stalled.did.told == [.outOfBytes(.offline)] && stalled.did.loads.isEmpty)
    }

    @Test("the network is back: goes on by itself, on the same episode")
    func backOnline() {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("C", kept: true)], network: .offline)
        drive.engine(.failed(.offline))
        drive.learn(.networkChanged(.signIn))
        #expect(drive.did.isEmpty)
        drive.pass(30)
        drive.learn(.networkChanged(.online))
        #expect(drive.did.loads.map(\.start) == [600] && drive.did.lastLoad?.episode.id == id("A"))
    }

    @Test("the driver paused meanwhile: the network alone starts nothing")
    func pausedMeanwhile() {
        var drive = Drive.playing(queued("A", at: 600), network: .offline)
        drive.engine(.failed(.offline))
        drive.wish(.pause)
        drive.learn(.networkChanged(.online))
        #expect(drive.did.isEmpty && drive.shown.reason == .driver)
        var stalled = Drive.playing(queued("A", at: 600), network: .offline)
        stalled.engine(.stalled(600))
        stalled.wish(.pause)
        #expect(stalled.shown.reason == .driver)
        stalled.wish(.play)
        #expect(stalled.shown.phase == .buffering && stalled.shown.reason == .outOfBytes)
        stalled.wish(.pause)
        stalled.engine(.flowing(600))
        stalled.wish(.play)
        #expect(stalled.shown.phase == .playing)
    }

    @Test("the network is back while the car is away: goes on when both are there")
    func bothNeeded() {
        var drive = Drive.playing(queued("A", at: 600), network: .offline)
        drive.engine(.failed(.offline))
        drive.learn(.carLeft)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.loads.isEmpty)
        drive.learn(.outputLost)
        drive.learn(.networkChanged(.online))
        #expect(drive.did.loads.isEmpty && drive.shown.reason == .outputLost)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.loads.count == 1)
        drive.engine(.failed(.unauthorized))
        #expect(drive.did.told == [.signIn] && drive.shown.reason == .outOfBytes)
        drive.learn(.outputLost)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.loads.count == 1)
    }

    @Test("true end without network: the next kept one, over those that are not")
    func endOffline() {
        var drive = Drive.playing(queued("A", at: 3590), queue: [queued("B"), queued("C", kept: true)], network: .offline)
        drive.engine(.ended)
        #expect(drive.did.lastLoad?.episode.id == id("C") && drive.player.queue.map(\.episode.id) == [id("B")])
    }

    @Test("chosen by hand while it waits: that very one is tried")
    func chosen() {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("C", kept: true)], network: .offline)
        drive.engine(.failed(.offline))
        drive.wish(.select(queued("A", at: 600)))
        #expect(drive.did.lastLoad?.episode.id == id("A"))
    }
}
