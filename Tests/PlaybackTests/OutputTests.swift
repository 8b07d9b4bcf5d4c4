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
        drive.pass(30)
        #expect(drive.position.map { abs($0 - 620) < 0.01 } == true)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.lastLoad?.start == heard.position)
    }

    @Test("PB-21 play with no sink: paused, 'no output', nothing moves, nothing is loaded")
    func noOutput() {
        var drive = Drive()
        drive.learn(.restored(queued("A", at: 600), wasPlaying: false))
        drive.wish(.play)
        #expect(drive.did.told == [.noOutput])
        #expect(drive.shown.phase == .paused && drive.shown.reason == .outputLost && drive.position == 600)
        #expect(drive.all.loads.isEmpty && drive.all.stored.isEmpty)
        drive.learn(.outputAppeared(car: Drive.car))
        #expect(drive.did.loads.count == 1)
    }
}
