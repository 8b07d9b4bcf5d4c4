import Testing

@testable import AudioRouting

@Suite("AV-38 how loud a car may start", .timeLimit(.minutes(1)))
struct VolumeRuleTests {
    @Test("a new car at full volume starts at 40 %")
    func newCar() {
        var rule = VolumeRule(remembered: nil, start: 40, now: 0)
        #expect(rule.judge(100, now: 0) == .lower(to: 40))
        #expect(rule.judge(40, now: 0.1) == .unchanged)
    }

    @Test("a known car is never louder than last time, and quieter if it says so")
    func known() {
        var loud = VolumeRule(remembered: 55, start: 40, now: 0)
        #expect(loud.judge(100, now: 0) == .lower(to: 55))
        var quiet = VolumeRule(remembered: 55, start: 40, now: 0)
        #expect(quiet.judge(20, now: 0) == .unchanged)
        #expect(quiet.judge(30, now: 0.5) == .follow(30))
    }

    @Test("a car that announces full volume right after connecting is turned down; later its knob is followed")
    func announces() {
        var rule = VolumeRule(remembered: 30, start: 40, now: 10)
        #expect(rule.judge(30, now: 10) == .unchanged)
        #expect(rule.judge(100, now: 10.6) == .lower(to: 30))
        #expect(rule.judge(30, now: 10.7) == .unchanged)
        #expect(rule.judge(80, now: 13) == .follow(80))
        #expect(rule.judge(90, now: 14) == .follow(90))
    }

    @Test("our own command in the first seconds is not undone")
    func command() {
        var rule = VolumeRule(remembered: 30, start: 40, now: 0)
        _ = rule.judge(30, now: 0)
        rule.command(70)
        #expect(rule.judge(70, now: 0.1) == .unchanged)
        #expect(rule.judge(71, now: 0.2) == .lower(to: 70))
    }

    @Test("a sink first seen late is turned down all the same")
    func late() {
        var rule = VolumeRule(remembered: 30, start: 40, now: 0)
        #expect(rule.judge(100, now: 60) == .lower(to: 30))
    }
}
