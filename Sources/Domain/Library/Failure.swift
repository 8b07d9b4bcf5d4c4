/// What can go wrong, in the domain's terms; adapters translate their own errors to these and keep the cause for the log.
public enum Failure: Error, Hashable, Sendable {
    /// No network, no answer, or an answer that is none (a captive page, half a JSON).
    case offline
    /// 401, 403, or a sign-in form where data was asked for.
    case unauthorized
    case notFound
    /// The file is not playable audio.
    case media
    /// The sound output failed.
    case device
    case `internal`
}
