import IpxAPI
import Library
import Linux

extension LoadedConfiguration {
    /// How the box reaches its server; nil while no address is set.
    func access(log: Log) -> ServerAccess? {
        guard let address = values.server.address else { return nil }
        return ServerAccess(
            server: address, apiAddress: values.server.apiAddress, token: token?.value,
            cookieJar: folders.state + "/cookies.txt", proxyHeaders: proxyHeaders(log))
    }

    /// `Name: value` lines for an access proxy in front of the server.
    private func proxyHeaders(_ log: Log) -> [ServerAccess.ProxyHeader] {
        guard let path = values.server.headersFile else { return [] }
        do throws(Errno) {
            let text = String(decoding: try SmallFile.read(path, limit: 65536), as: UTF8.self)
            return text.split(whereSeparator: \.isNewline).compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { return nil }
                return ServerAccess.ProxyHeader(
                    name: String(parts[0]), value: Secret(String(parts[1].drop { $0 == " " })))
            }
        } catch {
            log.error("headers-file can't be read", ["file": path, "cause": error])
            return []
        }
    }
}

extension ServerAccess {
    /// While no address is set; nothing is ever asked there (RFC 6761 keeps `.invalid` from existing).
    static var unset: ServerAccess { ServerAccess(server: unsetAddress) }

    private static var unsetAddress: ServerAddress {
        guard let address = try? ServerAddress("https://unset.invalid") else { preconditionFailure("a well-formed address") }
        return address
    }
}
