import Library
import Playback
import Testing

@Suite("The car and its output", .timeLimit(.minutes(1)))
struct OutputTests {
    @Test("car leaves while playing: silent, stored and unloaded at once; returns: goes on where it was")
    func returns() throws {
        var drive = Drive.playing(queued("A", at: 600))
        drive.pass(20)
        drive.learn(.outputLost)
        #expect(drive.did.pauses == [true])
        #expect(drive.did.unloads == 1)
        let heard = try #require(drive.did.stored.first)
        #expect(heard.episode == id("A") && abs(heard.position - 620) < 0.01 && heard.reason == .outputLost)
        drive.learn(.carLeft)
        #expect(drive.shown.phase == .paused && drive.shown.reason == .carLost)
        #expect(drive.did.stored.isEmpty)
        drive.pass(30)
        #expect(isNear(drive.position, 620))
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.lastLoad?.start == heard.position)
        #expect(drive.shown.phase == .loading)
    }

    @Test("the link goes before the sink: stored once, as car lost")
    func carFirst() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.pass(5)
        drive.learn(.carLeft)
        #expect(drive.did.stored.map(\.reason) == [.carLost] && drive.did.unloads == 1)
        #expect(drive.shown.reason == .carLost)
        drive.learn(.outputLost)
        #expect(drive.did.isEmpty)
    }

    @Test("PB-21 play with no sink: paused, 'no output', nothing moves, nothing is loaded; plays when the car is there")
    func noOutput() {
        var drive = Drive()
        drive.learn(.restored(queued("A", at: 600), wasPlaying: false))
        drive.wish(.play)
        #expect(drive.did.told == [.noOutput])
        #expect(drive.shown.phase == .paused && drive.shown.reason == .outputLost && drive.position == 600)
        drive.pass(100)
        #expect(drive.all.loads.isEmpty && drive.all.stored.isEmpty && drive.position == 600)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.loads.count == 1)
    }

    @Test("PB-21 with resume = never the wish for sound stays a wish")
    func noOutputNever() {
        var drive = Drive { $0.resume = .never }
        drive.learn(.restored(queued("A", at: 600), wasPlaying: true))
        drive.wish(.play)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.all.loads.isEmpty)
        drive.wish(.play)
        #expect(drive.did.loads.count == 1)
    }

    @Test(
        "the car returns: goes on by itself by the policy, and only if it was cut off",
        arguments: [
            (PlayerSettings.Resume.ifPlaying, true, true), (.ifPlaying, false, false), (.always, true, true),
            (.always, false, true), (.never, true, false), (.never, false, false),
        ])
    func policy(resume: PlayerSettings.Resume, wasPlaying: Bool, goesOn: Bool) {
        var drive = Drive.playing(queued("A", at: 600)) { $0.resume = resume }
        if !wasPlaying { drive.wish(.pause) }
        drive.learn(.outputLost)
        drive.learn(.carLeft)
        drive.pass(100)
        drive.learn(.carConnected(address: Drive.car))
        drive.learn(.outputAppeared(car: Drive.car))
        #expect((drive.did.loads.count == 1) == goesOn)
    }

    @Test("AV-34 cut off, then the phone pauses, then the sink returns: stays paused, whatever the policy")
    func pausedWhileAway() {
        for resume in [PlayerSettings.Resume.ifPlaying, .always] {
            var drive = Drive.playing(queued("A", at: 600)) { $0.resume = resume }
            drive.learn(.outputLost)
            drive.wish(.pause, from: .phone)
            #expect(drive.shown.reason == .driver)
            drive.learn(.outputAppeared(car: Drive.car))
            #expect(drive.did.loads.isEmpty && drive.shown.phase == .paused)
            drive.wish(.play)
            #expect(drive.did.loads.count == 1)
        }
    }

    @Test("AV-34 cut off in one car, another one appears: stays paused until the driver plays")
    func anotherCar() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.learn(.outputLost)
        drive.learn(.outputAppeared(car: Drive.otherCar))
        #expect(drive.did.loads.isEmpty && drive.shown.phase == .paused)
        drive.wish(.play)
        #expect(drive.did.loads.count == 1)
    }

    @Test("another car takes the sink over while playing: cut off and stored; the same one again: nothing happens")
    func takenOver() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.isEmpty)
        drive.learn(.outputAppeared(car: Drive.otherCar))
        #expect(drive.did.stored.map(\.reason) == [.carLost] && drive.did.unloads == 1 && drive.did.loads.isEmpty)
    }

    @Test("plays to the fallback, the car comes: goes on there, loaded anew")
    func fromFallback() {
        var drive = Drive.ready(queued("A", at: 600))
        drive.learn(.outputLost)
        drive.learn(.outputAppeared(car: nil))
        drive.wish(.play)
        drive.starts()
        drive.pass(10)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.pauses == [true] && drive.did.loads.count == 1)
        #expect(isNear(drive.did.lastLoad?.start, 607))
        drive.learn(.carLeft)
        #expect(drive.did.unloads == 1)
    }

    @Test("AV-35 no sink, no sound: plays nothing however often Play comes")
    func neverWithoutSink() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.learn(.carLeft)
        for origin in [Origin.car, .key, .mpris, .commandLine, .service] {
            drive.wish(.play, from: origin)
            #expect(drive.did.loads.isEmpty && drive.shown.phase == .paused)
        }
        #expect(isNear(drive.position, 600))
    }

    @Test("output lost during the load: nothing is stored; it comes back: the same offset is loaded")
    func lostWhileLoading() {
        var drive = Drive.ready(queued("A", at: 600))
        drive.wish(.play)
        drive.learn(.outputLost)
        #expect(drive.did.stored.isEmpty && drive.did.unloads == 1)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.loads.map(\.start) == [597])
    }

    @Test("the sound output fails: paused as if it was lost; Play tries again")
    func deviceFails() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.pass(5)
        drive.engine(.failed(.device))
        #expect(drive.shown.phase == .paused && drive.shown.reason == .outputLost && drive.did.told.isEmpty)
        #expect(drive.did.stored.map(\.reason) == [.outputLost] && drive.did.unloads == 1)
        drive.wish(.play)
        #expect(drive.did.loads.count == 1)
    }

    @Test("POS-16 cut of power while playing: the same episode goes on by itself when the car is there, a little earlier")
    func afterPowerCut() {
        var drive = Drive()
        drive.learn(.restored(queued("A", at: 600, away: nil), wasPlaying: true))
        #expect(drive.did.contains(.currentChanged(id("A"))) && drive.player.wantsToPlay)
        #expect(drive.shown.phase == .paused && drive.position == 600)
        drive.pass(3)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.loads.map(\.start) == [597])
    }

    @Test("POS-16 cut of power while paused by the driver: stays paused when the car is there")
    func afterPowerCutPaused() {
        var drive = Drive.ready(queued("A", at: 600))
        #expect(drive.all.loads.isEmpty && drive.shown.phase == .paused && drive.shown.reason == .driver)
        #expect(!drive.player.wantsToPlay)
        drive.learn(.restored(queued("B"), wasPlaying: true))
        #expect(drive.player.current?.episode.id == id("A"))
    }

    @Test("nothing was left from the last run: idle, and Play takes the head of the queue")
    func firstRun() {
        var drive = Drive()
        drive.learn(.restored(nil, wasPlaying: true))
        #expect(drive.shown.phase == .idle && drive.shown.episode == nil && drive.position == nil)
        drive.learn(.outputAppeared(car: Drive.car))
        for command in [Command.play, .pause, .next, .nextEpisode, .previousEpisode, .seek(to: 5), .toggle] {
            drive.wish(command)
            #expect(drive.did.isEmpty)
        }
        drive.pass(1)
        drive.learn(.queueChanged([queued("A"), queued("B")]))
        drive.wish(.play)
        #expect(drive.did.lastLoad?.episode.id == id("A") && drive.player.queue.map(\.episode.id) == [id("B")])
    }

    @Test("with resume = always a queue is enough to start")
    func alwaysFromQueue() {
        var drive = Drive { $0.resume = .always }
        drive.learn(.queueChanged([queued("A")]))
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.loads.count == 1)
    }

    @Test("shutdown while playing: silent, stored, and nothing plays afterwards")
    func shutdown() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.pass(5)
        drive.learn(.shutdownRequested)
        #expect(drive.did.pauses == [true] && drive.did.stored.map(\.reason) == [.shutdown] && drive.did.unloads == 1)
        #expect(drive.did.contains(.wake(at: nil)))
        #expect(drive.shown.phase == .paused && drive.shown.reason == .shutdown && drive.player.wantsToPlay)
        drive.wish(.play)
        drive.learn(.outputAppeared(car: Drive.otherCar))
        drive.pass(60)
        #expect(drive.did.isEmpty && drive.shown.phase == .paused)
    }

    @Test("shutdown while paused by the driver: stays the driver's pause")
    func shutdownPaused() {
        var drive = Drive.playing(queued("A", at: 600))
        drive.wish(.pause)
        drive.learn(.shutdownRequested)
        #expect(drive.did.stored.isEmpty && drive.did.unloads == 1)
        #expect(drive.shown.reason == .driver && !drive.player.wantsToPlay)
    }
}

func isNear(_ value: Seconds?, _ wanted: Seconds, within: Seconds = 0.01) -> Bool {
    value.map { abs($0 - wanted) <= within } ?? false
}
