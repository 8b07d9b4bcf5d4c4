import EventLoop
import Glibc

/// How much was heard at the car's sink, over all its comings and goings.
@Core
public final class SoundMeter {
    /// Seconds that were heard; the short breaths of speech belong to it.
    public private(set) var seconds = 0.0
    /// RMS of the last moment, and the loudest one; 0…1.
    public private(set) var level = 0.0
    public private(set) var loudest = 0.0
    /// Something was heard within the last breath.
    public var isSounding: Bool { quiet < SoundMeter.breath }

    /// Seconds of silence that do not end a speech.
    private static let breath = 1.0
    /// Seconds since the last audible step.
    private var quiet = Double.infinity
    private static let step = 0.01
    private var capture: MonitorCapture?

    public init() {}

    /// 8 kHz is enough to tell sound from silence.
    func open(server: String, sink: String) throws(DemoError) {
        capture = try MonitorCapture(server: server, sink: sink, rate: 8_000)
    }

    func close() {
        look()
        capture?.stop()
        capture = nil
        level = 0
        quiet = .infinity
    }

    /// Counts what was played since the last look; a few times a second.
    public func look() {
        guard let piece = capture?.take() else { return }
        let levels = piece.levels(step: SoundMeter.step).map(\.level)
        for level in levels {
            guard level > Recording.audible else {
                quiet += SoundMeter.step
                continue
            }
            seconds += isSounding ? quiet + SoundMeter.step : SoundMeter.step
            quiet = 0
        }
        guard !levels.isEmpty else { return }
        level = levels.suffix(20).max() ?? 0
        loudest = max(loudest, levels.max() ?? 0)
    }

    /// The loudest moment in decibels of full scale; nil when nothing was heard.
    public var loudestDecibels: Double? { loudest > Recording.audible ? 20 * log10(loudest) : nil }
}
