import HTTPClient
import Library

/// Where an address that the server lists (an enclosure, an artwork) leads, and what may be shown there.
struct ListedAddress: Sendable {
    var url: HTTPURL
    /// Nil for another origin: a publisher's own server gets none.
    var credentials: Credentials?

    /// A path lies below the address that is asked; an absolute URL of the server itself does too, so that the token reaches it.
    /// Nil when it is no address, or a path that must not be asked with our credentials.
    init?(_ listed: String, _ access: ServerAccess) {
        let base = access.base
        if let below = Self.path(listed, below: [access.server, base]) {
            guard let url = HTTPURL(base.url + below), Self.isAllowed(url, base) else { return nil }
            self.url = url
            credentials = access.credentials
            return
        }
        guard let root = HTTPURL(base.url + "/"), let url = root.resolving(listed) else { return nil }
        self.url = url
        // Same origin but outside the base path: another service on the same host.
        credentials = nil
    }

    private static func path(_ listed: String, below addresses: [ServerAddress]) -> String? {
        if listed.hasPrefix("/"), !listed.hasPrefix("//") { return listed }
        let lead = listed.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if !lead.contains(":"), !listed.hasPrefix("//") { return "/" + listed }
        guard let url = HTTPURL(listed), let own = addresses.first(where: { $0.origin == url.origin }),
            url.path.hasPrefix(own.basePath + "/"), let root = HTTPURL(own.url)
        else { return nil }
        let length = root.string.hasSuffix("/") ? root.string.dropLast() : root.string[...]
        return String(url.string.dropFirst(length.count))
    }

    private static func isAllowed(_ url: HTTPURL, _ base: ServerAddress) -> Bool {
        url.path.hasPrefix(base.basePath + "/") && ListedPath.isAllowed(url.path.dropFirst(base.basePath.count))
    }
}
