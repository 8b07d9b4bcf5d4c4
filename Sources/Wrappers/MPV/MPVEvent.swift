import CMPV

/// What libmpv tells by itself (client.h, `mpv_event_id`), as far as an audio player needs it.
public enum MPVEvent: Hashable, Sendable {
    /// A playlist entry begins to load; whatever was loaded before is gone.
    case startFile(entry: Int64)
    case fileLoaded
    /// Playing begins or goes on after a load or a seek. Also sent just before an `endFile` that follows at once.
    case playbackRestart
    case endFile(entry: Int64, EndReason)
    /// An observed property has this value now; `none`: it is not available.
    case property(name: String, MPVValue)
    case log(prefix: String, level: String, text: String)
    case shutdown

    public enum EndReason: Hashable, Sendable {
        case endOfFile
        /// Replaced or stopped by a command.
        case stopped
        case failed(MPVError)
    }
}

/// One event as drained: news, or the answer to a request.
enum Drained {
    case event(MPVEvent)
    case answer(UInt64, Result<MPVValue, MPVError>)
}

extension MPVLibrary {
    /// Nil: an event nobody here needs. Everything is copied: the pointer is valid until the next `mpv_wait_event` only.
    func drained(_ raw: mpv_event) -> Drained? {
        switch raw.event_id {
        case MPV_EVENT_COMMAND_REPLY: answer(raw, raw.data?.load(as: mpv_event_command.self).result)
        case MPV_EVENT_SET_PROPERTY_REPLY: answer(raw, nil)
        case MPV_EVENT_GET_PROPERTY_REPLY: answer(raw, raw.data?.load(as: mpv_event_property.self).node)
        default: event(raw).map(Drained.event)
        }
    }

    private func answer(_ raw: mpv_event, _ node: mpv_node?) -> Drained {
        if raw.error < 0 { return .answer(raw.reply_userdata, .failure(error(raw.error))) }
        return .answer(raw.reply_userdata, .success(node.map(MPVValue.init) ?? .none))
    }

    private func event(_ raw: mpv_event) -> MPVEvent? {
        switch raw.event_id {
        case MPV_EVENT_SHUTDOWN: .shutdown
        case MPV_EVENT_FILE_LOADED: .fileLoaded
        case MPV_EVENT_PLAYBACK_RESTART: .playbackRestart
        case MPV_EVENT_START_FILE:
            raw.data.map { .startFile(entry: $0.load(as: mpv_event_start_file.self).playlist_entry_id) }
        case MPV_EVENT_END_FILE: raw.data.map { ended($0.load(as: mpv_event_end_file.self)) }
        case MPV_EVENT_PROPERTY_CHANGE: raw.data.map { changed($0.load(as: mpv_event_property.self)) }
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

    private func changed(_ property: mpv_event_property) -> MPVEvent {
        .property(name: text(property.name), property.node.map(MPVValue.init) ?? .none)
    }

    private func logLine(_ line: mpv_event_log_message) -> MPVEvent {
        .log(prefix: text(line.prefix), level: text(line.level), text: text(line.text).filter { !$0.isNewline })
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
}

extension mpv_event_property {
    /// Every property is asked for as a node; anything else means that it has no value.
    fileprivate var node: mpv_node? { format == MPV_FORMAT_NODE ? data?.load(as: mpv_node.self) : nil }
}
