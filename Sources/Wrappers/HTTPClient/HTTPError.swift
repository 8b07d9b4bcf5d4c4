/// Why there is no (whole) answer. Texts name hosts at most: never a secret, a path or a query.
public enum HTTPError: Error, Hashable, Sendable {
    /// No address for the host.
    case dns(String)
    /// Nothing answers there; the reason in libcurl's words.
    case connect(String)
    /// The whole took longer than `HTTPRequest.timeout`, or the connection longer than `connectTimeout`.
    case timeout
    /// Silence for longer than `HTTPRequest.stallTimeout`.
    case stalled
    /// The connection ended before the announced length or the last chunk.
    case cutShort(String)
    case tls(TLSFault, String)
    /// More than 8 redirects.
    case redirectLoop
    case refusedRedirect(RefusedRedirect)
    /// Not an absolute http or https URL.
    case badURL
    /// A header or method that can't be sent (a control character in it).
    case badRequest(String)
    /// What came is not HTTP, or its encoding is broken.
    case malformed(String)
    /// Bytes allowed.
    case bodyTooLarge(limit: Int)
    case cancelled
    /// libcurl failed in a way that says nothing about the network.
    case library(String)

    public enum TLSFault: Hashable, Sendable {
        /// Not yet valid or expired: so it looks when the box's own clock is wrong.
        case certificateDate
        /// Signed by nobody we trust, or for another host.
        case untrusted
        case other
    }

    public enum RefusedRedirect: Hashable, Sendable {
        /// https → http in a chain that carries or began with credentials.
        case insecure
        /// From a public address to a loopback, private or link-local one.
        case intoPrivateNetwork
        /// To something other than http and https, or to no URL at all.
        case notHTTP
        /// A request body would have gone to another origin.
        case bodyToOtherOrigin
    }

    /// No usable connection: worth trying again later, and nothing said about us or the file.
    public var isOffline: Bool {
        switch self {
        case .dns, .connect, .timeout, .stalled, .cutShort, .tls: true
        case .redirectLoop, .refusedRedirect, .badURL, .badRequest, .malformed, .bodyTooLarge, .cancelled, .library: false
        }
    }
}

extension HTTPError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .dns(let reason): "no address: \(reason)"
        case .connect(let reason): "no connection: \(reason)"
        case .timeout: "took too long"
        case .stalled: "the server fell silent"
        case .cutShort(let reason): "cut short: \(reason)"
        case .tls(.certificateDate, let reason): "certificate not valid at this time: \(reason)"
        case .tls(.untrusted, let reason): "certificate not trusted: \(reason)"
        case .tls(.other, let reason): "TLS failed: \(reason)"
        case .redirectLoop: "more than \(RedirectChain.hopLimit) redirects"
        case .refusedRedirect(.insecure): "redirect from https to http refused"
        case .refusedRedirect(.intoPrivateNetwork): "redirect from a public to a private address refused"
        case .refusedRedirect(.notHTTP): "redirect to something that is not http or https refused"
        case .refusedRedirect(.bodyToOtherOrigin): "redirect of a request body to another server refused"
        case .badURL: "not an http or https URL"
        case .badRequest(let reason): "can't be sent: \(reason)"
        case .malformed(let reason): "not understood: \(reason)"
        case .bodyTooLarge(let limit): "more than \(limit) bytes"
        case .cancelled: "cancelled"
        case .library(let reason): reason
        }
    }
}
