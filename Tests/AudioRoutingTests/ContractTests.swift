import AudioRouting
import DemoKit
import EventLoop
import Playback
import PortFakes
import Testing

/// What every `AudioOutput` promises, with the hands that put a car's sink up and take it away.
@Core
private struct Subject {
    var output: any AudioOutput
    var sinkAppears: @Core () throws -> Void
    var sinkVanishes: @Core () throws -> Void
    var end: @Core () -> Void = {}

    static func fake() -> Subject {
        let fake = FakeAudioOutput()
        return Subject(
            output: fake, sinkAppears: { fake.sinkAppeared(car: car, sink: "car") },
            sinkVanishes: { fake.sinkVanished(car: car) })
    }

    static func real() throws -> Subject {
        let sound = try PrivateSound()
        let stage = Stage(sound)
        return Subject(
            output: stage.routing, sinkAppears: { try sound.addCarSink(address: car) },
            sinkVanishes: { try sound.removeSink("bluez_sink.AA_BB_CC_DD_EE_FF.a2dp_sink") },
            end: {
                stage.routing.stop()
                sound.stop()
            })
    }
}

@Suite("What every output of sound promises", .timeLimit(.minutes(1)))
@Core
struct AudioOutputContract {
    enum Kind: CaseIterable, Sendable { case fake, real }

    private func subject(_ kind: Kind) throws -> Subject { kind == .fake ? .fake() : try .real() }

    @Test("an output is a connected car that has a sink, whichever comes first", arguments: Kind.allCases)
    func both(kind: Kind) async throws {
        let subject = try subject(kind)
        defer { subject.end() }
        var told: [Output?] = []
        subject.output.onChange = { told.append($0) }
        #expect(subject.output.current == nil)
        subject.output.carChanged(address: car)
        #expect(subject.output.current == nil)
        try subject.sinkAppears()
        try await eventually("appeared") { told.count == 1 }
        #expect(told.last??.car == car)
        #expect(told.last == subject.output.current)
        subject.output.carChanged(address: nil)
        #expect(subject.output.current == nil)
        #expect(told.count == 2)
        subject.output.carChanged(address: car)
        #expect(subject.output.current?.car == car)
        #expect(told.count == 3)
        try subject.sinkVanishes()
        try await eventually("vanished") { told.count == 4 }
        #expect(subject.output.current == nil)
    }

    @Test("another car's sink is not for this one", arguments: Kind.allCases)
    func other(kind: Kind) async throws {
        let subject = try subject(kind)
        defer { subject.end() }
        subject.output.carChanged(address: otherCar)
        try subject.sinkAppears()
        subject.output.carChanged(address: car)
        try await eventually("its own car") { subject.output.current?.car == car }
        subject.output.carChanged(address: otherCar)
        #expect(subject.output.current == nil)
    }

    @Test(
        "volume and mute are refused without a sink, kept in 0…100 with one, and told when they change",
        arguments: Kind.allCases)
    func volume(kind: Kind) async throws {
        let subject = try subject(kind)
        defer { subject.end() }
        #expect(subject.output.volume == nil)
        #expect(subject.output.isMuted == nil)
        #expect(!subject.output.setVolume(10))
        #expect(!subject.output.setMuted(true))
        subject.output.carChanged(address: car)
        try subject.sinkAppears()
        try await eventually("appeared") { subject.output.current != nil }
        #expect(subject.output.volume == 40)
        #expect(subject.output.isMuted == false)
        var told = 0
        subject.output.onVolumeChange = { told += 1 }
        #expect(subject.output.setVolume(25))
        #expect(subject.output.volume == 25)
        #expect(told == 1)
        #expect(subject.output.setVolume(250))
        #expect(subject.output.volume == 100)
        #expect(subject.output.setVolume(-1))
        #expect(subject.output.volume == 0)
        #expect(subject.output.setMuted(true))
        #expect(subject.output.isMuted == true)
        #expect(told == 4)
        try subject.sinkVanishes()
        try await eventually("vanished") { subject.output.current == nil }
        #expect(subject.output.volume == 0)
        #expect(!subject.output.setVolume(10))
    }
}
