import Glibc

/// Sound that says where it comes from: every half second carries three tones, one for the episode and two for the place, so that
/// a tenth of a second of captured sound names both. Survives mp3, resampling and pitch-corrected speed.
public struct ToneCode: Sendable {
    /// Seconds for which one trio sounds.
    public static let slot = 0.5
    /// Episode numbers are 0..<episodes.
    public static let episodes = 12
    /// The longest episode, seconds.
    public static let longest = Double(coarse.count * fine.count) * slot

    static let episodeTones = tones(400, 12)
    static let coarse = tones(1_000, 40)
    static let fine = tones(3_000, 60)

    /// What a piece of sound said.
    public struct Reading: Hashable, Sendable {
        public var episode: Int
        /// Seconds into the episode: the beginning of the half second that was heard.
        public var position: Double
    }

    /// Which episode and place sounds in `range`, best 0.1–0.2 s long; nil for silence, other sound or a change of place.
    public static func reading(_ recording: Recording, in range: Range<Int>) -> Reading? {
        guard range.count > recording.rate / 20,
            let episode = index(episodeTones, recording, range),
            let high = index(coarse, recording, range),
            let low = index(fine, recording, range)
        else { return nil }
        return Reading(episode: episode, position: Double(high * fine.count + low) * slot)
    }

    /// What was heard at `time` (the 0.12 s around it).
    public static func reading(_ recording: Recording, at time: Double) -> Reading? {
        reading(recording, in: recording.index(at: time - 0.06)..<recording.index(at: time + 0.06))
    }

    /// Everything heard, in steps of `step` seconds, silence and changes left out.
    public static func readings(
        _ recording: Recording, from: Double? = nil, step: Double = 0.1
    ) -> [(time: Double, reading: Reading)] {
        guard let start = from ?? recording.start, let end = recording.end, end > start else { return [] }
        return stride(from: start + 0.06, to: end - 0.06, by: step).compactMap { time in
            reading(recording, at: time).map { (time, $0) }
        }
    }

    /// Mono samples of a whole episode; −10 dB or so.
    public static func samples(episode: Int, seconds: Double, rate: Int) -> [Int16] {
        precondition(episode >= 0 && episode < episodes && seconds <= longest)
        var samples: [Int16] = []
        samples.reserveCapacity(Int(seconds * Double(rate)))
        let perSlot = Int(slot * Double(rate))
        for number in 0..<Int((seconds / slot).rounded(.up)) {
            let trio = [episodeTones[episode], coarse[number / fine.count], fine[number % fine.count]]
            var waves = trio.map { Wave(frequency: $0, rate: rate) }
            for place in 0..<perSlot {
                // 5 ms of fade at each end keeps a change of tones from clicking into the other bands.
                let edge = min(1, Double(min(place, perSlot - place)) / (0.005 * Double(rate)))
                samples.append(Int16((waves[0].next() + waves[1].next() + waves[2].next()) * edge * 4_500))
            }
        }
        return samples
    }

    private static func tones(_ first: Double, _ count: Int) -> [Double] { (0..<count).map { first + 40 * Double($0) } }

    private static func index(_ tones: [Double], _ recording: Recording, _ range: Range<Int>) -> Int? {
        recording.dominant(of: tones, in: range, clarity: 2).flatMap { tones.firstIndex(of: $0) }
    }
}

/// A sine by its recurrence: no call of `sin` per sample, so that minutes are made in a moment.
private struct Wave {
    private let factor: Double
    private var previous: Double
    private var before: Double

    init(frequency: Double, rate: Int) {
        let turn = 2 * Double.pi * frequency / Double(rate)
        factor = 2 * cos(turn)
        previous = 0
        before = -sin(turn)
    }

    mutating func next() -> Double {
        let value = factor * previous - before
        (before, previous) = (previous, value)
        return value
    }
}
