import Glibc
import Testing

@testable import DemoKit

@Suite("What a captured piece of sound tells", .timeLimit(.minutes(1)))
struct RecordingTests {
    /// 1 s silence, 1 s of 440 Hz at half scale, 1 s silence, in pieces of 10 ms heard from second 100 on.
    private var beep: Recording {
        let rate = 22_050
        let samples = (0..<rate * 3).map { index in
            rate..<2 * rate ~= index ? Int16(16_384 * sin(2 * .pi * 440 * Double(index) / Double(rate))) : 0
        }
        var recording = Recording(rate: rate)
        for start in stride(from: 0, to: samples.count, by: 220) {
            let end = min(start + 220, samples.count)
            recording.append(samples[start..<end], at: 100 + Double(end - 1) / Double(rate))
        }
        return recording
    }

    @Test("the first sound and the silence after it are found within 20 ms")
    func edges() throws {
        #expect(abs(try #require(beep.firstSound(after: 100)) - 101) < 0.02)
        #expect(abs(try #require(beep.silence(after: 101.1)) - 102) < 0.02)
        #expect(beep.firstSound(after: 102.1) == nil)
        #expect(abs(beep.soundSeconds() - 1) < 0.05)
    }

    @Test("the level is the RMS, times and samples map both ways")
    func levels() {
        #expect(abs(beep.level(from: 101.1, to: 101.9) - 0.3535) < 0.002)
        #expect(beep.level(from: 100.1, to: 100.9) == 0)
        for index in [0, 5, 219, 220, 40_000] { #expect(beep.index(at: beep.time(of: index) - 1e-7) == index) }
        #expect(beep.index(at: 200) == beep.samples.count)
    }

    @Test("a gap in the arrival is a gap in time, not a shift")
    func gap() {
        var recording = Recording(rate: 1_000)
        recording.append(repeatElement(0, count: 100), at: 10)
        recording.append(repeatElement(9_000, count: 100), at: 15)
        #expect(abs(recording.firstSound(after: 9)! - 14.901) < 0.011)
        #expect(abs(recording.time(of: 99) - 10) < 1e-6)
    }

    @Test("the dominant frequency is named, and none in silence or a tie")
    func frequency() {
        let range = beep.index(at: 101.2)..<beep.index(at: 101.3)
        #expect(beep.dominant(of: [400, 440, 480], in: range) == 440)
        #expect(abs(beep.strength(of: 440, in: range) - 0.5) < 0.01)
        #expect(beep.dominant(of: [300, 600, 900], in: range) == nil)
        #expect(beep.dominant(of: [440], in: beep.index(at: 100.2)..<beep.index(at: 100.3)) == nil)
    }

    @Test("tones name episode and place at every half second")
    func code() {
        var recording = Recording(rate: 22_050)
        recording.append(ToneCode.samples(episode: 7, seconds: 62, rate: 22_050), at: 62)
        for position in [0.0, 0.5, 17, 29.5, 30, 61.5] {
            let found = ToneCode.reading(recording, at: position + 0.25)
            #expect(found == ToneCode.Reading(episode: 7, position: position))
        }
    }
}
