import EventLoop
import Library
import Playback
import PulseAudio

/// The sink of the connected car at the sound server, its volume, and the moment it goes.
///
/// A sink alone is not the car: BlueZ must show it connected too (`carChanged`). A connected car without a sink is no output,
/// which is how "connected, no audio" is told (AV-36). Everything happens on `Core`; a lost sink is told in the turn its news comes.
@Core
public final class AudioRouting: AudioOutput {
    public var onChange: (@Core (Output?) -> Void)?
    public var onVolumeChange: (@Core () -> Void)?
    public private(set) var current: Output?

    private let settings: Settings
    private let log: @Core (String) -> Void
    private let link: ServerLink
    private let streams: StreamGuard
    private var sinks: [UInt32: Sink] = [:]
    private var car: BluetoothAddress?
    private var playing: UInt32?
    private var rule: VolumeRule?
    private var last: (volume: Int, isMuted: Bool)?
    private var tried: (@Core () -> Void)?

    public init(_ settings: Settings, log: @escaping @Core (String) -> Void) {
        self.settings = settings
        self.log = log
        link = ServerLink(server: settings.server, patience: settings.patience, log: log)
        streams = StreamGuard(process: settings.process, log: log)
        link.onReady = { [weak self] in self?.connected($0) }
        link.onLost = { [weak self] in self?.disconnected() }
        link.onFailed = { [weak self] in self?.hasTried() }
        link.onChange = { [weak self] in self?.changed($0) }
    }

    /// Connects, and goes on trying. `tried` is called once: when the first list of sinks is here, or the first attempt failed.
    public func start(tried: @escaping @Core () -> Void = {}) {
        self.tried = tried
        link.start()
    }

    /// Nothing is told afterwards.
    public func stop() {
        onChange = nil
        onVolumeChange = nil
        tried = nil
        link.stop()
        streams.disconnected()
    }

    public func carChanged(address: String?) {
        car = address.flatMap { BluetoothAddress($0) }
        choose()
    }

    /// Without an output: the last one's.
    public var volume: Int? { last?.volume }
    public var isMuted: Bool? { last?.isMuted }

    public func setVolume(_ volume: Int) -> Bool {
        guard let sink = playing.flatMap({ sinks[$0] }), let context = link.context else { return false }
        let volume = min(100, max(0, volume))
        rule?.command(volume)
        context.setVolume(volume, of: sink)
        remember(volume)
        sinks[sink.index]?.volume = volume
        levelsChanged()
        return true
    }

    public func setMuted(_ muted: Bool) -> Bool {
        guard let playing, let context = link.context else { return false }
        context.setMuted(muted, sink: playing)
        sinks[playing]?.isMuted = muted
        levelsChanged()
        return true
    }
}

// What the server tells.
extension AudioRouting {
    private func connected(_ context: PulseContext) {
        sinks = [:]
        streams.connected(context)
        askDefault(context)
        context.sinks { [weak self] in
            guard let self, case .success(let all) = $0 else { return }
            for sink in all { self.sinks[sink.index] = sink }
            self.choose()
            self.hasTried()
        }
    }

    private func hasTried() {
        tried?()
        tried = nil
    }

    private func disconnected() {
        sinks = [:]
        streams.disconnected()
        choose()
    }

    private func changed(_ change: Change) {
        switch (change.facility, change.kind) {
        case (.sink, .removed):
            streams.sinkRemoved(change.index)
            sinks[change.index] = nil
            choose()
        case (.sink, _): ask(change.index)
        case (.sinkInput, _): streams.streamChanged(change)
        case (.server, _): link.context.map { askDefault($0) }
        case (.other, _): break
        }
    }

    private func ask(_ index: UInt32) {
        link.context?.sink(index) { [weak self] in
            // Gone again: its removal is told by itself.
            guard let self, case .success(let sink) = $0 else { return }
            self.sinks[index] = sink
            if index == self.playing { self.judgeVolume(sink) }
            self.choose()
        }
    }

    private func askDefault(_ context: PulseContext) {
        context.server { [weak self] in
            guard case .success(let info) = $0 else { return }
            self?.streams.defaultChanged(isSilent: info.defaultSink == SinkChoice.silence)
        }
    }
}

// What follows from it.
extension AudioRouting {
    private func choose() {
        let sink = chosen()
        let silence = sinks.values.first { $0.name == SinkChoice.silence }?.index
        let output = sink.map { sink in
            Output(sink: sink.name, car: car.flatMap { SinkChoice.address(of: sink) == $0 ? $0.text : nil })
        }
        defer { streams.allow(output: playing, silence: silence) }
        guard sink?.index != playing || output != current else { return }
        playing = sink?.index
        rule = output?.car.map {
            VolumeRule(remembered: settings.rememberedVolume($0), start: settings.startVolume($0), now: settings.now())
        }
        // One output in place of another is a loss first: it stops the sound, and is stored as that.
        if current != nil, output != nil {
            current = nil
            onChange?(nil)
        }
        current = output
        // Turned down before anybody hears of the sink: the server obeys in this order.
        if let sink { judgeVolume(sink) }
        log(output.map { "sound goes to \($0.sink)" } ?? "no sink to play to")
        onChange?(output)
    }

    private func chosen() -> Sink? {
        if let car, let sink = SinkChoice.sink(of: car, in: sinks.values) { return sink }
        return settings.fallback.flatMap { name in sinks.values.first { $0.name == name } }
    }

    private func judgeVolume(_ sink: Sink) {
        switch rule?.judge(sink.volume, now: settings.now()) {
        case .lower(let volume):
            link.context?.setVolume(volume, of: sink)
            sinks[sink.index]?.volume = volume
            remember(volume)
        case .follow(let volume): remember(volume)
        case .unchanged, nil: break
        }
        levelsChanged()
    }

    private func remember(_ volume: Int) {
        guard let car = current?.car, settings.rememberedVolume(car) != volume else { return }
        settings.onVolume(car, volume)
    }

    private func levelsChanged() {
        guard let sink = playing.flatMap({ sinks[$0] }) else { return }
        let levels = (volume: min(100, sink.volume), isMuted: sink.isMuted)
        if let last, last == levels { return }
        last = levels
        onVolumeChange?()
    }
}
