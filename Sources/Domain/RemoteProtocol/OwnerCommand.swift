/// What the owner hands to the running service over the local bus; no phone can send these. The token travels here and
/// nowhere else: never on a command line, never in an environment, never in an answer.
public struct OwnerCommand: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        /// The answer's `text` names the address and where it comes from.
        case showServer
        /// An address that `ServerAddress` let through.
        case setServer(String)
        /// `address`: where it is sent; nil leaves what is set.
        case setToken(String, address: String?)
        case clearToken
    }

    public var id: String
    public var action: Action

    public init(id: String, action: Action) {
        self.id = id
        self.action = action
    }
}

extension OwnerCommand: Codable {
    private enum Field: String, CodingKey { case id, cmd, address, token, clear }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        id = try fields.decode(String.self, forKey: .id)
        let address = try fields.decodeIfPresent(String.self, forKey: .address)
        switch try fields.decode(String.self, forKey: .cmd) {
        case "server": action = address.map(Action.setServer) ?? .showServer
        case "token" where try fields.decodeIfPresent(Bool.self, forKey: .clear) == true: action = .clearToken
        case "token": action = .setToken(try fields.decode(String.self, forKey: .token), address: address)
        default: throw RemoteProtocolError("cmd: no such command")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(id, forKey: .id)
        switch action {
        case .showServer:
            try fields.encode("server", forKey: .cmd)
        case .setServer(let address):
            try fields.encode("server", forKey: .cmd)
            try fields.encode(address, forKey: .address)
        case .setToken(let token, let address):
            try fields.encode("token", forKey: .cmd)
            try fields.encode(token, forKey: .token)
            try fields.encodeIfPresent(address, forKey: .address)
        case .clearToken:
            try fields.encode("token", forKey: .cmd)
            try fields.encode(true, forKey: .clear)
        }
    }
}

/// What `Command(s)` on the local bus may carry.
public enum BusRequest: Hashable, Sendable {
    case remote(RemoteCommand)
    case owner(OwnerCommand)

    public init(json text: String) throws(RemoteProtocolError) {
        let word = try RemoteJSON.value(Envelope.self, from: text, atMost: RemoteJSON.commandLimit).cmd
        if word == "server" || word == "token" {
            self = .owner(try RemoteJSON.value(OwnerCommand.self, from: text))
        } else {
            self = .remote(try RemoteJSON.value(RemoteCommand.self, from: text))
        }
    }

    private struct Envelope: Decodable { var cmd: String }

    /// The id of a frame that was not understood, as far as it has one.
    public static func id(in text: String) -> String? {
        struct Named: Decodable { var id: String }
        return try? RemoteJSON.value(Named.self, from: text, atMost: RemoteJSON.commandLimit).id
    }
}
