import Library
import Testing

@Suite("Server time on a box without a clock", .timeLimit(.minutes(1)))
struct ServerClockTests {
    @Test("POS-03 before the server is heard, a stamp is the last trusted time plus this boot's age, and uncertain")
    func unheard() {
        let clock = ServerClock(boot: "b", lastTrusted: wall(5000))
        #expect(clock.stamp(at: instant(60)) == Stamp(boot: "b", at: instant(60), wall: wall(5060), isUncertain: true))
        #expect(clock.time(at: instant(60)) == nil && !clock.isKnown)
        let never = ServerClock(boot: "b", lastTrusted: nil)
        #expect(never.stamp(at: instant(60)) == Stamp(boot: "b", at: instant(60), wall: nil, isUncertain: true))
    }

    @Test("POS-03 once heard, what was heard earlier in this boot gets its true time; another boot's stays")
    func settled() {
        var clock = ServerClock(boot: "b", lastTrusted: wall(5000))
        let early = clock.stamp(at: instant(60))
        let other = Stamp(boot: "a", at: instant(60), wall: wall(4000), isUncertain: true)
        clock.heard(wall(9000), at: instant(100))
        #expect(clock.settled(early) == Stamp(boot: "b", at: instant(60), wall: wall(8960)))
        #expect(clock.settled(other) == other)
        #expect(clock.time(at: instant(110)) == wall(9010))
        #expect(clock.settled(clock.settled(early)) == clock.settled(early))
    }

    @Test("Date is cut to seconds: more answers come nearer to the true time, late ones do not take it back")
    func refined() {
        var clock = ServerClock(boot: "b", lastTrusted: nil)
        clock.heard(wall(1000), at: instant(0.9))
        clock.heard(wall(1001), at: instant(1.1))
        clock.heard(wall(1001), at: instant(2.0))
        #expect(clock.time(at: instant(0)) == wall(999.9))
    }

    @Test("SYS-12 a server whose own clock was set anew is followed")
    func jump() {
        var clock = ServerClock(boot: "b", lastTrusted: nil)
        clock.heard(wall(1000), at: instant(0))
        clock.heard(wall(400), at: instant(10))
        #expect(clock.time(at: instant(10)) == wall(400))
    }

    @Test("POS-03 nothing more than two minutes ahead is sent")
    func sendable() {
        var clock = ServerClock(boot: "b", lastTrusted: nil)
        clock.heard(wall(1000), at: instant(0))
        #expect(clock.sendable(Stamp(boot: "a", at: instant(0), wall: wall(900)), at: instant(10)) == wall(900))
        #expect(clock.sendable(Stamp(boot: "a", at: instant(0), wall: wall(1130)), at: instant(10)) == wall(1130))
        #expect(clock.sendable(Stamp(boot: "a", at: instant(0), wall: wall(1131)), at: instant(10)) == wall(1010))
        #expect(clock.sendable(Stamp(boot: "a", at: instant(0)), at: instant(10)) == wall(1010))
        #expect(ServerClock(boot: "b", lastTrusted: nil).sendable(Stamp(boot: "a", at: instant(0)), at: instant(1)) == nil)
    }

    @Test("POS-03 an uncertain stamp brings the trusted time it was reckoned from, whatever was heard since")
    func basis() {
        let offline = ServerClock(boot: "a", lastTrusted: wall(5000))
        let stamp = offline.stamp(at: instant(60))
        var online = ServerClock(boot: "b", lastTrusted: wall(5060))
        online.heard(wall(9000), at: instant(10))
        #expect(online.times(for: stamp, at: instant(20)) == SyncTimes(now: wall(9010), lastTrusted: wall(5000)))
        #expect(online.times(for: nil, at: instant(20)).lastTrusted == wall(5060))
    }
}
