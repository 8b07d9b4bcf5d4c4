import CPulse
import EventLoop
import Glibc

/// One connection to a sound server, PulseAudio or PipeWire's. It lives once: after `.failed` make a new one.
///
/// Answers and news come on `Core` in the order in which the server sent them. Every request is answered, with
/// `connectionTerminated` when the connection ends first. Never starts a server.
@Core
public final class PulseContext {
    public enum State: Hashable, Sendable {
        case ready
        /// Could not connect, or the connection was lost.
        case failed(PulseError)
    }

    public typealias Answer<Value> = @Core @Sendable (Result<Value, PulseError>) -> Void

    public var onState: (@Core (State) -> Void)?
    /// Sinks, streams and the server's defaults, once `ready`.
    public var onChange: (@Core (Change) -> Void)?

    /// What `SinkInput.processID` is for streams of this process.
    public nonisolated static var ownProcess: Int32 { getpid() }

    private let connection: Connection
    private var hasFailed = false

    /// Begins to connect; `onState` follows, set it before the next turn of `Core`. `server`: as `PULSE_SERVER`, nil for that or the
    /// configured one. `name` is what mixers show.
    public init(server: String?, name: String) {
        let inbox = Inbox()
        connection = Connection(name: name) { event in
            Core.run { inbox.context?.take(event) }
        }
        inbox.context = self
        // A server that isn't there is told in the same way as one that goes.
        do { try connection.connect(server: server) } catch {
            Core.run { inbox.context?.take(.state(.failed(error))) }
        }
    }

    /// Requests under way are answered, nothing else comes.
    public func close() {
        onState = nil
        onChange = nil
        connection.close()
    }

    public func server(_ answer: @escaping Answer<ServerInfo>) {
        ask(
            { pa_context_get_server_info($0, serverArrived, $1) }, one: { if case .server(let it) = $0 { it } else { nil } },
            answer)
    }

    public func sinks(_ answer: @escaping Answer<[Sink]>) {
        ask(
            { pa_context_get_sink_info_list($0, sinkArrived, $1) }, each: { if case .sink(let it) = $0 { it } else { nil } },
            answer)
    }

    public func sink(_ index: UInt32, _ answer: @escaping Answer<Sink>) {
        ask(
            { pa_context_get_sink_info_by_index($0, index, sinkArrived, $1) },
            one: { if case .sink(let it) = $0 { it } else { nil } }, answer)
    }

    public func sinkInputs(_ answer: @escaping Answer<[SinkInput]>) {
        ask(
            { pa_context_get_sink_input_info_list($0, inputArrived, $1) },
            each: { if case .input(let it) = $0 { it } else { nil } }, answer)
    }

    public func sinkInput(_ index: UInt32, _ answer: @escaping Answer<SinkInput>) {
        ask(
            { pa_context_get_sink_input_info($0, index, inputArrived, $1) },
            one: { if case .input(let it) = $0 { it } else { nil } }, answer)
    }

    /// All channels of a sink, percent.
    public func setVolume(_ percent: Int, of sink: Sink, _ answer: @escaping Answer<Void> = { _ in }) {
        var levels = pa_cvolume()
        pa_cvolume_set(&levels, UInt32(max(1, sink.channels)), volume(percent: percent))
        act({ pa_context_set_sink_volume_by_index($0, sink.index, &levels, successArrived, $1) }, answer)
    }

    public func setMuted(_ isMuted: Bool, sink: UInt32, _ answer: @escaping Answer<Void> = { _ in }) {
        act({ pa_context_set_sink_mute_by_index($0, sink, isMuted ? 1 : 0, successArrived, $1) }, answer)
    }

    public func setMuted(_ isMuted: Bool, sinkInput: UInt32, _ answer: @escaping Answer<Void> = { _ in }) {
        act({ pa_context_set_sink_input_mute($0, sinkInput, isMuted ? 1 : 0, successArrived, $1) }, answer)
    }

    public func move(sinkInput: UInt32, to sink: UInt32, _ answer: @escaping Answer<Void> = { _ in }) {
        act({ pa_context_move_sink_input_by_index($0, sinkInput, sink, successArrived, $1) }, answer)
    }

    /// Ends somebody's stream; its owner sees it fail.
    public func kill(sinkInput: UInt32, _ answer: @escaping Answer<Void> = { _ in }) {
        act({ pa_context_kill_sink_input($0, sinkInput, successArrived, $1) }, answer)
    }

    /// Only ever on a server of our own.
    public func setDefaultSink(_ name: String, _ answer: @escaping Answer<Void> = { _ in }) {
        act({ pa_context_set_default_sink($0, name, successArrived, $1) }, answer)
    }

    /// Answers with the module's index. `arguments` as in `pactl load-module`.
    public func loadModule(_ name: String, _ arguments: String, _ answer: @escaping Answer<UInt32>) {
        ask(
            { pa_context_load_module($0, name, arguments, indexArrived, $1) },
            one: { if case .module(let it) = $0 { it } else { nil } }, answer)
    }

    public func unloadModule(_ index: UInt32, _ answer: @escaping Answer<Void> = { _ in }) {
        act({ pa_context_unload_module($0, index, successArrived, $1) }, answer)
    }

    private func take(_ event: Connection.Event) {
        switch event {
        case .change(let change): onChange?(change)
        case .state(let state):
            // Subscribed before `ready` is told, so that no change falls between a list asked for then and the news.
            if state == .ready { subscribe() }
            // A refused connection is told twice, by the call and by the state.
            if hasFailed { return }
            if state != .ready { hasFailed = true }
            onState?(state)
        }
    }

    private func subscribe() {
        let wanted = PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue
        let mask = pa_subscription_mask_t(wanted | PA_SUBSCRIPTION_MASK_SERVER.rawValue)
        act({ pa_context_subscribe($0, mask, successArrived, $1) }, { _ in })
    }

    private typealias Start = (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?

    private func ask<Value: Sendable>(
        _ start: Start, each: @escaping @Sendable (Request.Item) -> Value?, _ answer: @escaping Answer<[Value]>
    ) {
        Request.send(connection, start) { result in answer(result.map { $0.compactMap(each) }) }
    }

    private func ask<Value: Sendable>(
        _ start: Start, one: @escaping @Sendable (Request.Item) -> Value?, _ answer: @escaping Answer<Value>
    ) {
        Request.send(connection, start) { result in
            answer(result.flatMap { $0.compactMap(one).first.map { .success($0) } ?? .failure(.noSuchEntity) })
        }
    }

    private func act(_ start: Start, _ answer: @escaping Answer<Void>) {
        Request.send(connection, start) { result in answer(result.map { _ in }) }
    }
}

/// Breaks the circle between context and connection.
private final class Inbox: @unchecked Sendable {
    // Read and written on `Core` only.
    weak var context: PulseContext?
}
