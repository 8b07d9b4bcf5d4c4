/// What proves who we are, and to whom alone it may be shown.
///
/// Sent only to exactly this scheme, host and port. Once a redirect chain leaves it, nothing of this is sent any more in that
/// chain, not even when it comes back.
public struct Credentials: Sendable, Hashable {
    public var origin: Origin
    /// Sent as `Authorization: Bearer …`.
    public var bearer: String?
    /// Headers of an access proxy in front of the server.
    public var extraHeaders: [Header]
    /// Path of a Netscape cookies.txt: its cookies are sent, and `Set-Cookie` answers are written back (mode 0600, atomically).
    public var cookieJar: String?

    public struct Header: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(
        origin: Origin, bearer: String? = nil, extraHeaders: [(String, String)] = [], cookieJar: String? = nil
    ) {
        self.origin = origin
        self.bearer = bearer
        self.extraHeaders = extraHeaders.map { Header(name: $0.0, value: $0.1) }
        self.cookieJar = cookieJar
    }
}
