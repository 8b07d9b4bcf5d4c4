import Glibc

/// Mono sound with the times at which it was heard. Times are `MonotonicClock` seconds; levels are RMS, 0…1 of full scale.
public struct Recording: Sendable {
    /// Samples a second.
    public let rate: Int
    public private(set) var samples: [Int16] = []
    /// Where each piece ended and when it arrived; pieces are a few milliseconds long.
    private var pieces: [(end: Int, time: Double)] = []

    /// Below −60 dB of full scale nobody hears anything.
    public static let audible = 0.001

    public init(rate: Int) { self.rate = rate }

    /// `time`: when the last of `new` was heard.
    public mutating func append(_ new: some Sequence<Int16>, at time: Double) {
        samples.append(contentsOf: new)
        pieces.append((samples.count, time))
    }

    public var start: Double? { samples.isEmpty ? nil : time(of: 0) }
    public var end: Double? { pieces.last?.time }

    /// When sample `index` was heard.
    public func time(of index: Int) -> Double {
        let piece = pieces[piece { $0.end > index }]
        return piece.time - Double(piece.end - 1 - index) / Double(rate)
    }

    /// The first sample heard at or after `time`; `samples.count` when there is none.
    public func index(at time: Double) -> Int {
        guard let last = pieces.last, time <= last.time else { return samples.count }
        let found = piece { $0.time >= time }
        let before = found == 0 ? 0 : pieces[found - 1].end
        return max(before, pieces[found].end - 1 - Int((pieces[found].time - time) * Double(rate)))
    }

    /// RMS between two times; 0 when nothing was recorded there.
    public func level(from: Double, to: Double) -> Double {
        rms(index(at: from)..<max(index(at: from), index(at: to)))
    }

    /// RMS of steps of `step` seconds, stamped with their beginning.
    public func levels(step: Double = 0.02, from: Double? = nil) -> [(time: Double, level: Double)] {
        let size = max(1, Int(step * Double(rate)))
        let first = from.map(index(at:)) ?? 0
        guard first < samples.count else { return [] }
        return stride(from: first, to: samples.count - size + 1, by: size).map { (time(of: $0), rms($0..<$0 + size)) }
    }

    /// When something was first heard at or after `moment`, within 10 ms.
    public func firstSound(after moment: Double, threshold: Double = audible) -> Double? {
        levels(step: 0.01, from: moment).first { $0.level > threshold }?.time
    }

    /// When the last sound at or after `moment` ended, if `lasting` seconds of silence follow it; `moment` when all is silent.
    public func silence(after moment: Double, lasting: Double = 0.2, threshold: Double = audible) -> Double? {
        let curve = levels(step: 0.01, from: moment)
        var since: Double?
        for step in curve {
            if step.level > threshold {
                since = nil
            } else {
                since = since ?? step.time
                // swift-format-ignore: NeverForceUnwrap
                if step.time + 0.01 - since! >= lasting { return since }
            }
        }
        return nil
    }

    /// How many seconds were audible.
    public func soundSeconds(from: Double? = nil, threshold: Double = audible) -> Double {
        Double(levels(step: 0.02, from: from).count { $0.level > threshold }) * 0.02
    }

    /// Strength of one frequency in samples `range`: the amplitude of such a sine, 0…1 (Goertzel, Hann window).
    public func strength(of frequency: Double, in range: Range<Int>) -> Double {
        goertzel(samples[range], frequency: frequency, rate: rate)
    }

    /// Which of `candidates` is the strongest, or nil when it is not `clarity` times as strong as the next one.
    public func dominant(of candidates: [Double], in range: Range<Int>, clarity: Double = 3) -> Double? {
        let ranked = candidates.map { ($0, strength(of: $0, in: range)) }.sorted { $0.1 > $1.1 }
        guard let best = ranked.first, best.1 > Recording.audible else { return nil }
        if ranked.count > 1, best.1 < clarity * ranked[1].1 { return nil }
        return best.0
    }

    private func rms(_ range: Range<Int>) -> Double {
        guard !range.isEmpty else { return 0 }
        var sum = 0.0
        for index in range { sum += Double(samples[index]) * Double(samples[index]) }
        return (sum / Double(range.count)).squareRoot() / 32_768
    }

    /// The first piece for which `holds` (monotone) is true; the last one when none.
    private func piece(where holds: ((end: Int, time: Double)) -> Bool) -> Int {
        var low = 0
        var high = pieces.count - 1
        while low < high {
            let middle = (low + high) / 2
            if holds(pieces[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// Amplitude (0…1 of full scale) of a sine of `frequency` in `samples`; Goertzel's algorithm under a Hann window.
func goertzel(_ samples: some Collection<Int16>, frequency: Double, rate: Int) -> Double {
    let count = samples.count
    guard count > 1 else { return 0 }
    let turn = 2 * Double.pi * frequency / Double(rate)
    let coefficient = 2 * cos(turn)
    let window = 2 * Double.pi / Double(count)
    var previous = 0.0
    var before = 0.0
    for (index, sample) in samples.enumerated() {
        let weighted = Double(sample) / 32_768 * (0.5 - 0.5 * cos(window * Double(index)))
        (before, previous) = (previous, weighted + coefficient * previous - before)
    }
    let power = previous * previous + before * before - coefficient * previous * before
    return 4 * max(0, power).squareRoot() / Double(count)
}
