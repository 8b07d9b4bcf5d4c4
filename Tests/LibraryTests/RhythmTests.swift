import Library
import Testing

@Suite("When to ask and to send", .timeLimit(.minutes(1)))
struct RhythmTests {
    private func waiting(_ name: String, isUrgent: Bool) -> Held {
        let record = PositionRecord(episode: id(name), position: 10, listened: Stamp(boot: "b", at: instant(0)))
        return Held(record: record, unsent: .position, isUrgent: isUrgent)
    }

    @Test("undisturbed play is sent every 10 s at most, a pause at once")
    func playing() {
        var rhythm = PushRhythm()
        let running = waiting("a", isUrgent: false)
        #expect(rhythm.next([running], playing: id("a"), at: instant(0)) == .push(running))
        rhythm.began(id("a"), at: instant(0))
        #expect(rhythm.next([running], playing: id("a"), at: instant(9.9)) == .wait(until: instant(10)))
        #expect(rhythm.next([running], playing: id("a"), at: instant(10)) == .push(running))
        let paused = waiting("a", isUrgent: true)
        #expect(rhythm.next([paused], playing: id("a"), at: instant(1)) == .push(paused))
        #expect(rhythm.next([running], playing: nil, at: instant(1)) == .push(running))
    }

    @Test("what is urgent goes before what waits longer; others go while the playing one rests")
    func order() {
        var rhythm = PushRhythm()
        rhythm.began(id("a"), at: instant(0))
        let (playing, old, urgent) = (
            waiting("a", isUrgent: false), waiting("b", isUrgent: false), waiting("c", isUrgent: true)
        )
        #expect(rhythm.next([playing, old, urgent], playing: id("a"), at: instant(1)) == .push(urgent))
        #expect(rhythm.next([playing, old], playing: id("a"), at: instant(1)) == .push(old))
        #expect(rhythm.next([], playing: id("a"), at: instant(1)) == .nothing)
    }

    @Test("nothing is asked of a server that failed until its wait is over")
    func backoff() {
        var rhythm = PushRhythm()
        rhythm.backoff.failed(at: instant(0), chance: 0.5)
        let urgent = waiting("a", isUrgent: true)
        #expect(rhythm.next([urgent], playing: nil, at: instant(1)) == .wait(until: instant(2)))
        #expect(rhythm.next([urgent], playing: nil, at: instant(2)) == .push(urgent))
    }

    @Test("under 10 requests in the first minute, whatever chance says", arguments: [0, 0.5, 0.999, -1, 2])
    func firstMinute(chance: Double) {
        var backoff = Backoff()
        var (requests, now) = (0, instant(0))
        while now < instant(60) {
            requests += 1
            backoff.failed(at: now, chance: chance)
            now = backoff.notBefore ?? now
        }
        #expect((2..<10).contains(requests))
    }

    @Test("the wait grows to five minutes and no further; an answer ends it")
    func longest() {
        var backoff = Backoff()
        for _ in 1...100 { backoff.failed(at: instant(0), chance: 0.5) }
        #expect(backoff.notBefore == instant(300))
        backoff.reset()
        #expect(backoff.isOpen(at: instant(0)) && backoff.failures == 0)
    }

    @Test("Retry-After is obeyed, an hour at most, and never shortens the wait")
    func retryAfter() {
        func wait(_ wish: Double) -> Instant? {
            var backoff = Backoff()
            backoff.failed(at: instant(0), retryAfter: wish, chance: 0.5)
            #expect(!backoff.isOpen(at: instant(1.9)))
            return backoff.notBefore
        }
        #expect(wait(30) == instant(30))
        #expect(wait(0) == instant(2))
        #expect(wait(1e9) == instant(3600))
        #expect(wait(-.infinity) == instant(2))
    }
}
