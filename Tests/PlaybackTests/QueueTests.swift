import Library
import Playback
import Testing

@Suite("The queue", .timeLimit(.minutes(1)))
struct QueueTests {
    @Test("a changed queue keeps the current one, has it not twice, and nothing twice")
    func changed() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.learn(.queueChanged([queued("A"), queued("B"), queued("B"), queued("C")]))
        #expect(drive.did.isEmpty && drive.shown.episode?.id == id("A"))
        #expect(drive.player.queue.map(\.episode.id) == [id("B"), id("C")])
    }

    @Test("chosen by hand: the old place is stored, the new one starts at its own, rewound by its time away")
    func select() {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("B", at: 100), queued("C")]) {
            $0.rewind = [0, 3, 10, 20]
        }
        drive.pass(7)
        drive.wish(.select(queued("C", at: 50, away: 4000)))
        #expect(drive.did.stored.map(\.reason) == [.episodeChange] && isNear(drive.did.stored.first?.position, 607))
        #expect(drive.did.loads.map(\.start) == [40] && drive.did.contains(.currentChanged(id("C"))))
        #expect(drive.player.queue.map(\.episode.id) == [id("B")])
    }

    @Test("choosing the current one is Play")
    func selectCurrent() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.select(queued("A", at: 5)))
        #expect(drive.did.isEmpty)
        drive.wish(.pause)
        drive.wish(.select(queued("A", at: 5)))
        #expect(drive.did.pauses == [false] && isNear(drive.position, 600))
    }

    @Test("choosing without an output: it waits for one")
    func selectNoOutput() {
        var drive = Drive()
        drive.wish(.select(queued("B", at: 5)))
        #expect(drive.did.told == [.noOutput] && drive.shown.episode?.id == id("B") && drive.shown.phase == .paused)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.loads.count == 1)
    }

    @Test("next episode while paused: the next one, paused, and Play plays it")
    func nextPaused() {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("B", at: 9)])
        drive.wish(.pause)
        drive.wish(.nextEpisode)
        #expect(drive.did.loads.isEmpty && drive.did.unloads == 1 && drive.did.stored.isEmpty)
        #expect(drive.shown.phase == .paused && drive.shown.reason == .driver && drive.position == 9)
        drive.wish(.play)
        #expect(drive.did.lastLoad?.episode.id == id("B"))
    }

    @Test("next episode while the car is away: that one goes on when it returns")
    func nextWhileAway() {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("B", at: 9)])
        drive.learn(.carLeft)
        drive.wish(.nextEpisode)
        #expect(drive.did.loads.isEmpty && drive.shown.reason == .carLost)
        drive.learn(.outputAppeared(car: Drive.otherCar))
        #expect(drive.did.loads.isEmpty)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.lastLoad?.episode.id == id("B"))
    }

    @Test("the way back is bounded and in order")
    func back() {
        var drive = Drive.playing(queued("0"), queue: (1...60).map { queued("\($0)") })
        for _ in 0..<60 {
            drive.wish(.nextEpisode)
            drive.pass(1)
        }
        #expect(drive.shown.episode?.id == id("60") && drive.player.queue.isEmpty)
        drive.wish(.nextEpisode)
        #expect(drive.did.isEmpty)
        for _ in 0..<60 {
            drive.wish(.previousEpisode)
            drive.pass(1)
        }
        #expect(drive.shown.episode?.id == id("10") && drive.player.queue.count == 50)
    }
}
