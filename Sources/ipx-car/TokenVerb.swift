import EventLoop
import HeadUnit
import Library
import Linux
import RemoteProtocol

/// The token is asked for on the terminal or read from standard input; it never stands on a command line, where every
/// process of the machine could read it.
enum TokenVerb {
    static let options = [
        Option(name: "--address", value: "URL", help: "where the token is sent"), Option.state,
    ]
    static let usualAddress = "https://ipxapi.sdf1.net"

    @Core
    static func run(_ arguments: Arguments) async throws(Failed) {
        let folder = OwnerValues.folders(arguments).state
        switch arguments.words[0] {
        case "set": try await set(arguments, in: folder)
        case "clear":
            _ = try await OwnerValues.hand(.clearToken) { () throws(Failed) in
                try OwnerValues.store([(.token, nil), (.tokenAddress, nil)], in: folder)
            }
        default: throw .usage("token set or token clear, nothing else stands on the command line")
        }
    }

    @Core
    private static func set(_ arguments: Arguments, in folder: String) async throws(Failed) {
        let given = try arguments["--address"].map { word throws(Failed) in try ServerVerb.address(word) }
        let token = try Prompt.secret("Player token: ")
        let address = given == nil ? try askedAddress() : given
        _ = try await OwnerValues.hand(.setToken(token.reveal(), address: address?.url)) { () throws(Failed) in
            let place = address.map { [(StateFiles.Name.tokenAddress, Secret($0.url) as Secret?)] } ?? []
            try OwnerValues.store([(.token, token)] + place, in: folder)
        }
    }

    /// Without a terminal nothing is asked, and what was set before stays.
    private static func askedAddress() throws(Failed) -> ServerAddress? {
        guard Terminal.isInput else { return nil }
        return try ServerVerb.address(Prompt.line("Sent to", filledIn: usualAddress))
    }
}
