import EventLoop
import HTTPClient
import Library
import Linux

/// What every fetcher works with.
struct FetchContext: Sendable {
    var client: HTTPClient
    var folder: Directory
    var records: any PartRecords
    var durability = Durability()
    var timings: FetchTimings
    /// 0 up to 1, anew with each call.
    var chance: @Sendable () -> Double
    /// Where an enclosure is asked for, and as whom. Nil: nowhere.
    var request: @Core @Sendable (Enclosure) -> HTTPRequest?
    /// Asks the server for the enclosure anew (a signed URL may have run out, a token may have been replaced). Nil: nothing new.
    var refresh: @Core @Sendable (EpisodeID, Enclosure) async -> Enclosure?
    var log: @Sendable (String) -> Void
}
