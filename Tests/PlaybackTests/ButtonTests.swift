import Library
import Playback
import Testing

@Suite("Buttons that come twice, or by themselves", .timeLimit(.minutes(1)))
struct ButtonTests {
    /// Paused by the driver, then the car connects again.
    func reconnected(_ change: (inout PlayerSettings) -> Void = { _ in }) -> Drive {
        var drive = Drive.playing(queued("A", at: 600), settings: change)
        drive.wish(.pause)
        drive.learn(.outputLost)
        drive.learn(.carLeft)
        drive.pass(600)
        drive.learn(.carConnected(address: Drive.car))
        drive.learn(.outputAppeared(car: Drive.car))
        drive.pass(1)
        return drive
    }

    @Test("AV-23 the car presses Play by itself after the driver's own pause: held; a second Play counts")
    func heldFirst() {
        var drive = reconnected()
        drive.wish(.play, from: .car)
        #expect(drive.did == [.show(jumped: false)] && drive.shown.phase == .paused && drive.shown.reason == .held)
        #expect(drive.position == 600 && !drive.player.wantsToPlay)
        drive.learn(.carConnected(address: Drive.car))
        drive.wish(.play, from: .car)
        #expect(drive.did.loads.count == 1)
    }

    @Test(
        "AV-23 a wired key, the phone, the desktop, the command line are obeyed at once",
        arguments: [Origin.key, .phone, .mpris, .commandLine])
    func othersCount(origin: Origin) {
        var drive = reconnected()
        drive.wish(.play, from: origin)
        #expect(drive.did.loads.count == 1)
    }

    @Test("AV-23 later than 5 s it is the driver")
    func later() {
        var drive = reconnected()
        drive.pass(4.1)
        drive.wish(.play, from: .car)
        #expect(drive.did.loads.count == 1)
    }

    @Test("AV-23 cut off by the car itself: nothing is held")
    func cutOff() {
        var drive = Drive.playing(queued("A", at: 600)) { $0.resume = .never }
        drive.learn(.carLeft)
        drive.learn(.carConnected(address: Drive.car))
        drive.learn(.outputAppeared(car: Drive.car))
        drive.wish(.play, from: .car)
        #expect(drive.did.loads.count == 1)
    }

    @Test("AV-23 the car's own Play comes before its sink: no complaint, it goes on when the sink is there")
    func beforeTheSink() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.learn(.carLeft)
        drive.learn(.carConnected(address: Drive.car))
        drive.wish(.play, from: .car)
        #expect(drive.did.isEmpty && drive.shown.reason == .carLost)
        drive.wish(.play, from: .car)
        #expect(drive.did.told == [.noOutput])
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.loads.count == 1)
    }

    @Test("AV-23 paused since the car is here: its first Play is the driver's")
    func pausedHere() {
        var drive = Drive()
        drive.learn(.restored(queued("A", at: 600), wasPlaying: true))
        drive.learn(.carConnected(address: Drive.car))
        drive.learn(.outputAppeared(car: Drive.car))
        drive.starts()
        drive.pass(1)
        drive.wish(.pause, from: .car)
        drive.wish(.play, from: .car)
        #expect(drive.shown.phase == .playing)
    }

    @Test("AV-22 by default Pause while paused stays paused, and Play while playing plays")
    func absolute() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.play, from: .car)
        #expect(drive.did.isEmpty)
        drive.wish(.pause, from: .car)
        drive.wish(.pause, from: .car)
        #expect(drive.did.isEmpty && drive.shown.phase == .paused)
    }

    @Test(
        "AV-22 a car whose one key sends only Pause, or only Play",
        arguments: [(PlayerSettings.ToggleKey.pause, Command.pause), (.play, .play)])
    func oneKey(key: PlayerSettings.ToggleKey, command: Command) {
        var drive = Drive.playing(queued("A", at: 600)) { $0.toggleKey = key }
        for phase in [NowPlaying.Phase.paused, .playing, .paused] {
            drive.wish(command, from: .car)
            #expect(drive.shown.phase == phase)
            drive.pass(0.02)
            drive.wish(command, from: .car)
            #expect(drive.shown.phase == phase)
            drive.pass(2)
        }
        drive.wish(command, from: .phone)
        #expect(drive.shown.phase == (command == .play ? .playing : .paused))
    }

    @Test("AV-22 the Play such a car sends on connecting does not pause what went on by itself")
    func oneKeyOnConnect() {
        var drive = Drive.playing(queued("A", at: 600)) { $0.toggleKey = .play }
        drive.learn(.carLeft)
        drive.pass(100)
        drive.learn(.carConnected(address: Drive.car))
        drive.learn(.outputAppeared(car: Drive.car))
        drive.starts()
        drive.pass(1)
        drive.wish(.play, from: .car)
        #expect(drive.shown.phase == .playing)
    }

    @Test(
        "AV-25 toggles: one press by two ways within 300 ms, or twice within 50 ms, counts once",
        arguments: [
            (Origin.car, Origin.key, 0.005, true), (.car, .key, 0.29, true), (.car, .key, 0.31, false),
            (.car, .car, 0.04, true), (.car, .car, 0.06, false),
        ])
    func toggles(first: Origin, second: Origin, apart: Seconds, isOne: Bool) {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.toggle, from: first)
        drive.pass(apart)
        drive.wish(.toggle, from: second)
        #expect((drive.shown.phase == .paused) == isOne)
    }

    @Test(
        "AV-25 skips: from two sources within 300 ms once, from one they always add",
        arguments: [
            (Origin.car, Origin.key, 0.005, 630.0), (.car, .key, 0.31, 660), (.car, .car, 0.04, 660),
            (.car, .car, 0.001, 660),
        ])
    func skips(first: Origin, second: Origin, apart: Seconds, place: Seconds) {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.next, from: first)
        drive.pass(apart)
        drive.wish(.next, from: second)
        drive.arrives()
        drive.arrives()
        #expect(drive.position == place)
    }

    @Test("AV-25 two quick presses, each by two ways: two")
    func twoDoubled() {
        var drive = Drive.playing(queued("A", at: 600), queue: [queued("B"), queued("C"), queued("D")]) {
            $0.next = .episode
        }
        for _ in 0..<2 {
            drive.wish(.next, from: .car)
            drive.pass(0.005)
            drive.wish(.next, from: .key)
            drive.pass(0.1)
        }
        #expect(drive.shown.episode?.id == id("C"))
    }

    @Test("AV-25 absolute keys by two ways change nothing the second time")
    func absoluteTwice() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.pause, from: .car)
        drive.pass(0.005)
        drive.wish(.pause, from: .key)
        #expect(drive.did.isEmpty)
    }
}
