import CMPV

/// What libmpv tells (client.h, `mpv_event_id`), as far as an audio player needs it.
public enum MPVEvent: Hashable, Sendable {
    /// A playlist entry begins to load.
    case startFile(entry: Int64)
    case fileLoaded
    /// Playing begins or goes on after a load or a seek: the place has been reached.
    case playbackRestart
    case endFile(entry: Int64, EndReason)
    /// A property asked for or observed; nil: not available.
    case property(request: UInt64, name: String, MPVValue?)
    /// The answer to a command.
    case reply(request: UInt64, MPVError?)
    case log(prefix: String, level: String, text: String)
    case shutdown

    public enum EndReason: Hashable, Sendable {
        case endOfFile
        /// Replaced or stopped by a command.
        case stopped
        case failed(MPVError)
    }
}

public enum MPVValue: Hashable, Sendable {
    case double(Double)
    case flag(Bool)
}

extension MPVLibrary {
    /// Nil: an event nobody here needs. Everything is copied: the pointer is valid until the next `mpv_wait_event` only.
    func event(_ raw: mpv_event) -> MPVEvent? {
        switch raw.event_id {
        case MPV_EVENT_SHUTDOWN: .shutdown
        case MPV_EVENT_FILE_LOADED: .fileLoaded
        case MPV_EVENT_PLAYBACK_RESTART: .playbackRestart
        case MPV_EVENT_START_FILE:
            .startFile(entry: raw.data?.load(as: mpv_event_start_file.self).playlist_entry_id ?? 0)
        case MPV_EVENT_END_FILE: raw.data.map { ended($0.load(as: mpv_event_end_file.self)) }
        case MPV_EVENT_COMMAND_REPLY, MPV_EVENT_SET_PROPERTY_REPLY:
            .reply(request: raw.reply_userdata, raw.error < 0 ? error(raw.error) : nil)
        case MPV_EVENT_GET_PROPERTY_REPLY, MPV_EVENT_PROPERTY_CHANGE:
            raw.data.map { property($0.load(as: mpv_event_property.self), request: raw.reply_userdata, error: raw.error) }
        case MPV_EVENT_LOG_MESSAGE: raw.data.map { logLine($0.load(as: mpv_event_log_message.self)) }
        default: nil
        }
    }

    private func ended(_ end: mpv_event_end_file) -> MPVEvent {
        switch end.reason {
        case MPV_END_FILE_REASON_EOF: .endFile(entry: end.playlist_entry_id, .endOfFile)
        case MPV_END_FILE_REASON_ERROR: .endFile(entry: end.playlist_entry_id, .failed(error(end.error)))
        default: .endFile(entry: end.playlist_entry_id, .stopped)
        }
    }

    private func property(_ property: mpv_event_property, request: UInt64, error: Int32) -> MPVEvent {
        let name = property.name.map { String(cString: $0) } ?? ""
        guard error >= 0, let data = property.data else { return .property(request: request, name: name, nil) }
        let value: MPVValue? =
            switch property.format {
            case MPV_FORMAT_DOUBLE: .double(data.load(as: Double.self))
            case MPV_FORMAT_FLAG: .flag(data.load(as: Int32.self) != 0)
            default: nil
            }
        return .property(request: request, name: name, value)
    }

    private func logLine(_ line: mpv_event_log_message) -> MPVEvent {
        func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        return .log(prefix: text(line.prefix), level: text(line.level), text: text(line.text).filter { !$0.isNewline })
    }
}
