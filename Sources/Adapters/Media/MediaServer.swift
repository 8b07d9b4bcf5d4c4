import HTTPClient

/// Where enclosures listed as paths are asked for, and what proves who we are there.
public struct MediaServer: Sendable, Hashable {
    /// `https://host[:port]`, the API address when there is a token.
    public var address: String
    /// Sent to its own origin alone; an enclosure elsewhere is fetched without.
    public var credentials: Credentials?

    public init(address: String, credentials: Credentials? = nil) {
        self.address = address
        self.credentials = credentials
    }

    /// The absolute URL of an enclosure; nil: not one to fetch.
    func url(of enclosure: String) -> HTTPURL? {
        HTTPURL(address)?.resolving(enclosure) ?? HTTPURL(enclosure)
    }
}
