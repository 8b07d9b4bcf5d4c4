import EventLoop
import Playback

/// An output whose sinks the test puts up and takes away; obeys the same contract as the real one.
@Core
public final class FakeAudioOutput: AudioOutput {
    public var onChange: (@Core (Output?) -> Void)?
    public var onVolumeChange: (@Core () -> Void)?
    public private(set) var current: Output?
    public private(set) var volume: Int?
    public private(set) var isMuted: Bool?
    /// What the player said of the car, in order.
    public private(set) var carsTold: [String?] = []

    private var sinks: [String: String] = [:]
    private var fallback: String?
    private var car: String?

    public init() {}

    /// The sound server has a sink of this car; what BlueZ thinks is another matter.
    public func sinkAppeared(car: String, sink: String) {
        sinks[car] = sink
        choose()
    }

    public func sinkVanished(car: String) {
        sinks[car] = nil
        choose()
    }

    /// A configured fallback is there, or is not any more.
    public func fallbackChanged(sink: String?) {
        fallback = sink
        choose()
    }

    /// The car's own knob.
    public func carTurned(to volume: Int) {
        guard current != nil else { return }
        level(volume, isMuted ?? false)
    }

    public func carChanged(address: String?) {
        carsTold.append(address)
        car = address
        choose()
    }

    public func setVolume(_ volume: Int) -> Bool {
        guard current != nil else { return false }
        level(min(100, max(0, volume)), isMuted ?? false)
        return true
    }

    public func setMuted(_ muted: Bool) -> Bool {
        guard current != nil else { return false }
        level(volume ?? 40, muted)
        return true
    }

    private func choose() {
        let own = car.flatMap { car in sinks[car].map { Output(sink: $0, car: car) } }
        let next = own ?? fallback.map { Output(sink: $0, car: nil) }
        guard next != current else { return }
        if current != nil, next != nil {
            current = nil
            onChange?(nil)
        }
        current = next
        if next != nil { level(volume ?? 40, isMuted ?? false) }
        onChange?(next)
    }

    private func level(_ volume: Int, _ isMuted: Bool) {
        guard volume != self.volume || isMuted != self.isMuted else { return }
        self.volume = volume
        self.isMuted = isMuted
        onVolumeChange?()
    }
}
