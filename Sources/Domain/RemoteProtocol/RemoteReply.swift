/// The answer to one command: `{"id","ok":true,"seq":413}` or `{"id","ok":false,"error":"stale","state":{…}}`.
public struct RemoteReply: Hashable, Sendable {
    /// Why a command was not obeyed; the raw values are the words of `error`.
    public enum Refusal: String, Hashable, Sendable, Codable {
        /// Meant for an episode that is no longer the current one.
        case stale
        /// Understood, but not possible now or on this box.
        case unsupported
        case busy
        /// Not understood.
        case invalid
        case unauthorized
    }

    public enum Outcome: Hashable, Sendable {
        /// The number of the first state that shows the effect.
        case done(seq: Int)
        case refused(Refusal, state: RemoteState?)
    }

    /// Nil when the frame was so broken that it had none.
    public var id: String?
    public var outcome: Outcome
    /// Only on the local bus: a sentence for the person at the terminal.
    public var text: String?

    public init(id: String?, _ outcome: Outcome, text: String? = nil) {
        self.id = id
        self.outcome = outcome
        self.text = text
    }
}

extension RemoteReply: Codable {
    enum CodingKeys: String, CodingKey { case id, ok, seq, error, state, text }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decodeIfPresent(String.self, forKey: .id)
        text = try fields.decodeIfPresent(String.self, forKey: .text)
        if try fields.decode(Bool.self, forKey: .ok) {
            outcome = .done(seq: try fields.decode(Int.self, forKey: .seq))
        } else {
            outcome = .refused(
                try fields.decode(Refusal.self, forKey: .error),
                state: try fields.decodeIfPresent(RemoteState.self, forKey: .state))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encodeIfPresent(text, forKey: .text)
        switch outcome {
        case .done(let seq):
            try fields.encode(true, forKey: .ok)
            try fields.encode(seq, forKey: .seq)
        case .refused(let refusal, let state):
            try fields.encode(false, forKey: .ok)
            try fields.encode(refusal, forKey: .error)
            try fields.encode(state, forKey: .state)
        }
    }
}
