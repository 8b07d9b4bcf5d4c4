import FoundationEssentials
import Library
import Playback
import RemoteProtocol
import Testing

@Suite("The state object", .timeLimit(.minutes(1)))
struct RemoteStateTests {
    @Test("everything unknown is an explicit null, never left out and never 0")
    func unknown() throws {
        let idle = NowPlaying(phase: .idle, at: .ms(1000))
        #expect(
            RemoteJSON.text(state(idle)) == """
                {"at":1000,"boot":"b","can":["rate"],"car":{"connected":null,"name":null,"sink":null},"episode":null,\
                "kept":null,"message":null,"muted":null,"network":null,"now":2000,"phase":"idle","position":null,\
                "queue":[],"rate":1,"reason":null,"seq":412,"unread":null,"volume":null}
                """)
    }

    @Test("a drive in full: every field as the protocol spells it")
    func full() throws {
        var around = RemoteSurroundings()
        around.queue = [Queued(.made("g2"), position: 12, isKept: true)]
        around.volume = 40
        around.isMuted = false
        around.car = RemoteCar(connected: true, name: "Kombi", sink: true)
        around.network = .waitingForTime
        around.unread = 12
        around.kept = RemoteKept(
            count: 3, bytes: 5_000_000_000, fetching: .init(Episode.made("g3").id, done: 10, total: nil))
        around.message = "Waiting for the time"
        around.artwork = "/api/artwork/7"
        var now = NowPlaying.playing(754.3, rate: 1.3)
        now.phase = .paused
        now.reason = .carLost
        let text = RemoteJSON.text(state(now, around: around))
        for part in [
            #""reason":"car-lost""#, #""network":"waiting-for-time""#, #""artwork":"/api/artwork/7""#,
            #""published":"2026-11-30T02:00:00Z""#, #""chapters":[{"start":0,"title":"Intro"}]"#,
            #""fetching":{"done":10,"feedId":"f1","guid":"g3","total":null}"#, #""guid":"guid/1 ü""#,
            #""can":["play","pause","next","previous","seek","volume","mute","rate"]"#, #""position":754.3"#,
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(try RemoteJSON.value(RemoteState.self, from: text) == state(now, around: around))
    }

    @Test("a newer box sends more, an older one less: both are read, what is missing is unknown")
    func tolerant() throws {
        let text = """
            {"boot":"b","seq":1,"now":5,"at":5,"phase":"idle","rate":1,"queue":[],"can":[],"car":{},"weather":"fine"}
            """
        let read = try RemoteJSON.value(RemoteState.self, from: text)
        #expect(read.volume == nil && read.car.connected == nil && read.episode == nil)
    }

    @Test("AV-10 a stream without a duration: unknown, and no infinity reaches the wire")
    func noDuration() {
        var playing = NowPlaying.playing(.infinity)
        playing.duration = .nan
        let text = RemoteJSON.text(state(playing))
        #expect(text.contains(#""duration":null"#) && text.contains(#""position":null"#))
    }

    @Test("a long queue is cut at fifty")
    func longQueue() {
        var around = RemoteSurroundings()
        around.queue = (1...80).map { Queued(.made("g\($0)")) }
        #expect(state(around: around).queue.map(\.guid) == (1...50).map { "g\($0)" })
    }

    @Test("a client's clock runs with the rate, stands while paused, and stops at the end")
    func clientClock() {
        #expect(state(.playing(100, rate: 2)).position(at: 11_000) == 120)
        #expect(state(.playing(3599)).position(at: 60_000) == 3600)
        var paused = NowPlaying.playing(100)
        paused.phase = .paused
        #expect(state(paused).position(at: 60_000) == 100)
    }
}

@Suite("The numbers of states", .timeLimit(.minutes(1)))
struct RemoteStateSequenceTests {
    @Test("a position that just runs on is not sent again; a jump, a stall and a new volume are")
    func pushes() {
        var sequence = RemoteStateSequence(boot: "b")
        var around = RemoteSurroundings()
        #expect(sequence.next(now: .ms(1000), playing: .playing(10), around: around)?.seq == 1)
        let later = sequence.next(now: .ms(6000), playing: .playing(15.1, at: .ms(6000)), around: around)
        #expect(later == nil)
        #expect(sequence.next(now: .ms(6000), playing: .playing(45, at: .ms(6000)), around: around)?.seq == 2)
        around.volume = 41
        #expect(sequence.next(now: .ms(7000), playing: .playing(46, at: .ms(7000)), around: around)?.seq == 3)
        let unknown = sequence.next(now: .ms(8000), playing: .playing(nil, at: .ms(8000)), around: around)
        #expect(unknown?.position == nil && unknown?.seq == 4)
        #expect(sequence.last?.seq == 4)
    }
}
