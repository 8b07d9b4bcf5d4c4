import Car
import DBus
import EventLoop
import Library
import Playback

/// The properties of `org.mpris.MediaPlayer2.Player` that are told when they change, in the order they are told.
/// Position is none of them: MPRIS forbids it.
enum MPRISProperty: String, Hashable, CaseIterable {
    case metadata = "Metadata"
    case playbackStatus = "PlaybackStatus"
    case rate = "Rate"
    case minimumRate = "MinimumRate"
    case maximumRate = "MaximumRate"
    case volume = "Volume"
    case canGoNext = "CanGoNext"
    case canGoPrevious = "CanGoPrevious"
    case canPlay = "CanPlay"
    case canPause = "CanPause"
    case canSeek = "CanSeek"
    case canControl = "CanControl"

    static let interface = "org.mpris.MediaPlayer2.Player"

    var type: ValueType {
        switch self {
        case .metadata: .properties
        case .playbackStatus: .string
        case .rate, .minimumRate, .maximumRate, .volume: .double
        case .canGoNext, .canGoPrevious, .canPlay, .canPause, .canSeek, .canControl: .boolean
        }
    }
}

extension MPRISObject {
    /// `org.mpris.MediaPlayer2`. There is no window to raise, and a service is not quit over the bus.
    var rootInterface: Interface {
        func constant(_ name: String, _ value: Value) -> Property {
            Property(name, value.type, change: .const, get: { value })
        }
        return Interface(
            "org.mpris.MediaPlayer2", methods: [Method("Raise") { _ in [] }, Method("Quit") { _ in [] }],
            properties: [
                constant("CanQuit", .boolean(false)), constant("CanRaise", .boolean(false)),
                constant("HasTrackList", .boolean(false)), constant("Identity", .string("ipx-car")),
                constant("SupportedUriSchemes", .strings([])), constant("SupportedMimeTypes", .strings([])),
            ])
    }

    var playerInterface: Interface {
        Interface(
            MPRISProperty.interface, methods: presses + [seek, setPosition, openUri], properties: properties,
            signals: [SignalDescription("Seeked", [Argument("Position", .int64)])])
    }

    private var presses: [Method] {
        let all: [(String, Command)] = [
            ("Next", .next), ("Previous", .previous), ("Pause", .pause), ("PlayPause", .toggle), ("Stop", .stop),
            ("Play", .play),
        ]
        return all.map { name, command in
            Method(name) { [weak self] _ in
                self?.wiring.onCommand(command)
                return []
            }
        }
    }

    /// Offset in microseconds; past the end it acts like Next, which is what a skip does.
    private var seek: Method {
        Method("Seek", [Argument("Offset", .int64)]) { [weak self] call in
            guard let self, now.episode != nil, let offset = call.arguments[0].asInt64 else { return [] }
            wiring.onCommand(.skip(by: Seconds(offset) / 1e6))
            return []
        }
    }

    /// Ignored for another track than the present, and for places outside of it (MPRIS 2.2, "SetPosition").
    private var setPosition: Method {
        Method("SetPosition", [Argument("TrackId", .objectPath), Argument("Position", .int64)]) { [weak self] call in
            guard let self, let track, call.arguments[0] == .objectPath(track.id) else { return [] }
            guard let position = call.arguments[1].asInt64, position >= 0, position <= track.length ?? .max else {
                return []
            }
            wiring.onCommand(.seek(to: Seconds(position) / 1e6))
            return []
        }
    }

    private var openUri: Method {
        Method("OpenUri", [Argument("Uri", .string)]) { (_: IncomingCall) throws(DBusError) in
            throw .notSupported("only episodes of the ipx server are played")
        }
    }

    private var properties: [Property] {
        let told = MPRISProperty.allCases.map { name in
            Property(name.rawValue, name.type, get: { [weak self] in self?.current[name] }, set: setter(of: name))
        }
        return told + [Property("Position", .int64, change: .never, get: { [weak self] in .int64(self?.position ?? 0) })]
    }

    private func setter(of name: MPRISProperty) -> (@Core (Value) throws(DBusError) -> Void)? {
        switch name {
        case .rate: { [weak self] value throws(DBusError) in self?.setRate(value.asDouble ?? 1) }
        case .volume: { [weak self] value throws(DBusError) in try self?.setVolume(value.asDouble ?? 0) }
        default: nil
        }
    }

    /// "A value of 0.0 should act as though Pause was called" (MPRIS 2.2, "Rate").
    private func setRate(_ rate: Double) {
        guard rate.isFinite, rate >= 0 else { return }
        wiring.onCommand(rate == 0 ? .pause : .rate(rate))
    }

    /// A negative one counts as 0 (MPRIS 2.2, "Volume"), one above 1 as 1.
    private func setVolume(_ volume: Double) throws(DBusError) {
        guard !volume.isNaN else { throw .invalidArguments("not a number") }
        let percent = Int((min(max(volume, 0), 1) * 100).rounded())
        guard wiring.setVolume(percent) else { throw .notSupported("there is no car to set the volume of") }
    }
}
