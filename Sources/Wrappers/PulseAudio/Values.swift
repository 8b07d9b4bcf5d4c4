import CPulse

/// What the server says of itself.
public struct ServerInfo: Hashable, Sendable {
    /// `pulseaudio`, or `PulseAudio (on PipeWire …)`.
    public var name: String
    public var version: String
    /// Nil when it has none.
    public var defaultSink: String?

    public init(name: String, version: String, defaultSink: String?) {
        self.name = name
        self.version = version
        self.defaultSink = defaultSink
    }
}

/// One place where sound can go.
public struct Sink: Hashable, Sendable {
    public enum State: Hashable, Sendable { case running, idle, suspended, unknown }

    /// Unique for the life of the server, never used again.
    public var index: UInt32
    public var name: String
    public var description: String
    public var properties: [String: String]
    /// Percent of `PA_VOLUME_NORM`, of the loudest channel; may exceed 100.
    public var volume: Int
    public var channels: Int
    public var isMuted: Bool
    public var state: State
    /// The module that made it; nil for none.
    public var module: UInt32?

    public init(
        index: UInt32, name: String, description: String = "", properties: [String: String] = [:], volume: Int = 100,
        channels: Int = 2, isMuted: Bool = false, state: State = .idle, module: UInt32? = nil
    ) {
        self.index = index
        self.name = name
        self.description = description
        self.properties = properties
        self.volume = volume
        self.channels = channels
        self.isMuted = isMuted
        self.state = state
        self.module = module
    }
}

/// A stream that plays to a sink.
public struct SinkInput: Hashable, Sendable {
    public var index: UInt32
    /// The sink it plays to now.
    public var sink: UInt32
    public var name: String
    /// `application.name`, when told.
    public var application: String?
    /// `application.process.id`, when told; of the same machine only.
    public var processID: Int32?
    public var isMuted: Bool
    public var isCorked: Bool

    public init(
        index: UInt32, sink: UInt32, name: String = "", application: String? = nil, processID: Int32? = nil,
        isMuted: Bool = false, isCorked: Bool = false
    ) {
        self.index = index
        self.sink = sink
        self.name = name
        self.application = application
        self.processID = processID
        self.isMuted = isMuted
        self.isCorked = isCorked
    }
}

/// News of a subscription. The object itself is to be asked for; it may be gone by then.
public struct Change: Hashable, Sendable {
    public enum Facility: Hashable, Sendable { case sink, sinkInput, server, other }
    public enum Kind: Hashable, Sendable { case added, changed, removed }

    public var facility: Facility
    public var kind: Kind
    public var index: UInt32
}

// What follows copies out of libpulse's structures, which live only as long as the callback that hands them over.

extension ServerInfo {
    init(_ info: pa_server_info) {
        name = text(info.server_name)
        version = text(info.server_version)
        defaultSink = info.default_sink_name.map { String(cString: $0) }
    }
}

extension Sink {
    init(_ info: pa_sink_info) {
        index = info.index
        name = text(info.name)
        description = text(info.description)
        properties = list(info.proplist)
        var levels = info.volume
        volume = percent(pa_cvolume_max(&levels))
        channels = Int(info.volume.channels)
        isMuted = info.mute != 0
        state =
            switch info.state {
            case PA_SINK_RUNNING: .running
            case PA_SINK_IDLE: .idle
            case PA_SINK_SUSPENDED: .suspended
            default: .unknown
            }
        module = info.owner_module == UInt32.max ? nil : info.owner_module
    }
}

extension SinkInput {
    init(_ info: pa_sink_input_info) {
        let properties = list(info.proplist)
        index = info.index
        sink = info.sink
        name = text(info.name)
        application = properties["application.name"]
        processID = properties["application.process.id"].flatMap { Int32($0) }
        isMuted = info.mute != 0
        isCorked = info.corked != 0
    }
}

extension Change {
    init(event: pa_subscription_event_type_t, index: UInt32) {
        facility =
            switch event.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue {
            case PA_SUBSCRIPTION_EVENT_SINK.rawValue: .sink
            case PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue: .sinkInput
            case PA_SUBSCRIPTION_EVENT_SERVER.rawValue: .server
            default: .other
            }
        kind =
            switch event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue {
            case PA_SUBSCRIPTION_EVENT_NEW.rawValue: .added
            case PA_SUBSCRIPTION_EVENT_REMOVE.rawValue: .removed
            default: .changed
            }
        self.index = index
    }
}

/// `PA_VOLUME_NORM` is 0x10000, 100 %.
func percent(_ volume: pa_volume_t) -> Int { Int((Double(volume) * 100 / 65_536).rounded()) }

func volume(percent: Int) -> pa_volume_t { pa_volume_t((Double(max(0, percent)) * 65_536 / 100).rounded()) }

private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

private func list(_ properties: OpaquePointer?) -> [String: String] {
    guard let properties else { return [:] }
    var found: [String: String] = [:]
    var cursor: UnsafeMutableRawPointer?
    while let key = pa_proplist_iterate(properties, &cursor) {
        // Binary values (icons) have no text and are of no use here.
        if let value = pa_proplist_gets(properties, key) { found[String(cString: key)] = String(cString: value) }
    }
    return found
}
