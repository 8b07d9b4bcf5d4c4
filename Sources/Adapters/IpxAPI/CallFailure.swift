import HTTPClient
import Library

/// Why a call to the server gave nothing. `kind` decides, `detail` is for the log: no secret, no query.
public struct CallFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// No connection, or it broke.
        case offline
        /// The certificate's dates don't fit the box's clock: it looks so when the clock is wrong.
        case waitingForTime
        /// An answer that is none: a captive or sign-in page, half a JSON, another shape, another server's answer.
        case notAnAnswer
        /// 401, 403, or the server's own sign-in page.
        case signIn
        case notFound
        /// The server lacks this part of the contract (404 for a list, 405, 501); it isn't asked again.
        case unsupported(Feature?)
        /// 429, 5xx: the server can't now.
        case tryLater(status: Int)
        /// The server refuses this very request; it would do so again.
        case refused(status: Int)
        /// The listed address is not one to be asked with our credentials, or no address at all.
        case badAddress
        /// Nothing the server did.
        case `internal`
    }

    public var kind: Kind
    public var detail: String
    /// Seconds to wait before the next call, as the server asked (`Retry-After`).
    public var retryAfter: Seconds?

    public init(_ kind: Kind, _ detail: String, retryAfter: Seconds? = nil) {
        self.kind = kind
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// In the domain's terms.
    public var failure: Failure {
        switch kind {
        case .offline, .waitingForTime, .notAnAnswer, .tryLater: .offline
        case .signIn: .unauthorized
        case .notFound, .unsupported, .badAddress: .notFound
        case .refused, .internal: .internal
        }
    }

    public var description: String { "\(kind): \(detail)" }

    init(_ error: HTTPError) {
        switch error {
        case .tls(.certificateDate, _): self.init(.waitingForTime, "\(error)")
        case .cancelled, .library, .badRequest: self.init(.internal, "\(error)")
        case .badURL: self.init(.badAddress, "\(error)")
        case .redirectLoop, .refusedRedirect, .malformed, .bodyTooLarge: self.init(.notAnAnswer, "\(error)")
        case .dns, .connect, .timeout, .stalled, .cutShort, .tls: self.init(.offline, "\(error)")
        }
    }
}
