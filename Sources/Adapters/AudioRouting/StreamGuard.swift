import EventLoop
import PulseAudio

/// Sees to it that no stream of this process is heard where it should not be (AV-33).
///
/// The server moves a stream off a vanished sink before we can pause it. On a server of our own it lands on the silent default;
/// on another's it is muted at once. Muted, not killed: the player keeps its stream and needs no new one when the car is back.
/// The mute is taken back on the right sink, also from a new stream: some servers remember it for the next one.
@Core
final class StreamGuard {
    private let process: Int32
    private let log: @Core (String) -> Void
    private var streams: [UInt32: SinkInput] = [:]
    private var muted: Set<UInt32> = []
    private var context: PulseContext?
    private var output: UInt32?
    private var silence: UInt32?
    private var isDefaultSilent = false

    init(process: Int32, log: @escaping @Core (String) -> Void) {
        self.process = process
        self.log = log
    }

    func connected(_ context: PulseContext) {
        disconnected()
        self.context = context
        context.sinkInputs { [weak self] in
            guard case .success(let inputs) = $0 else { return }
            for input in inputs { self?.seen(input) }
        }
    }

    func disconnected() {
        context = nil
        streams = [:]
        muted = []
        output = nil
        silence = nil
        isDefaultSilent = false
    }

    /// The sinks on which a stream of ours may be: `output` is heard, `silence` is not.
    func allow(output: UInt32?, silence: UInt32?) {
        guard output != self.output || silence != self.silence else { return }
        self.output = output
        self.silence = silence
        for stream in streams.values { judge(stream, isNew: false) }
    }

    func defaultChanged(isSilent: Bool) { isDefaultSilent = isSilent }

    /// Before anything else is asked: what played there is somewhere else by now.
    func sinkRemoved(_ sink: UInt32) {
        if isDefaultSilent { return }
        for stream in streams.values where stream.sink == sink { mute(stream.index) }
    }

    func streamChanged(_ change: Change) {
        if change.kind == .removed {
            streams[change.index] = nil
            muted.remove(change.index)
            return
        }
        context?.sinkInput(change.index) { [weak self] in
            if case .success(let input) = $0 { self?.seen(input) }
        }
    }

    private func seen(_ input: SinkInput) {
        guard input.processID == process else { return }
        let isNew = streams.updateValue(input, forKey: input.index) == nil
        judge(input, isNew: isNew)
    }

    private func judge(_ stream: SinkInput, isNew: Bool) {
        if stream.sink == output {
            if muted.remove(stream.index) != nil || (isNew && stream.isMuted) { unmute(stream.index) }
        } else if stream.sink != silence, !(stream.isMuted && muted.contains(stream.index)) {
            log("our stream is on a sink that is not the output: muted")
            mute(stream.index)
        }
    }

    private func mute(_ stream: UInt32) {
        muted.insert(stream)
        context?.setMuted(true, sinkInput: stream)
    }

    private func unmute(_ stream: UInt32) { context?.setMuted(false, sinkInput: stream) }
}
