import EventLoop
import FoundationEssentials
import HTTPClient
import Library

/// What became of a write.
public enum WriteOutcome: Hashable, Sendable {
    /// Done. `version` is the base of the next write; nil from a server without versions.
    case accepted(version: Int?, updated: WallTime?)
    /// The entry moved on since the base version; this is how it stands.
    case conflict(Episode)
    /// The server has no such entry (any more), or it has no name for it.
    case gone
    /// The server doesn't keep this.
    case unsupported
}

extension IpxServer {
    /// Sends one record, stamped with the time it was heard.
    public func putPosition(_ record: PositionRecord, at: WallTime) async throws(CallFailure) -> WriteOutcome {
        let id = record.episode
        let body = WirePosition(record: record, at: at, device: device)
        return try await put(.position(feed: id.feed, guid: id.guid), body, of: id)
    }

    public func putRead(_ id: EpisodeID, read: Bool, at: WallTime) async throws(CallFailure) -> WriteOutcome {
        try await put(.read(feed: id.feed, guid: id.guid), WireRead(isRead: read, at: at), of: id)
    }

    private func put(
        _ endpoint: Endpoint, _ body: some Encodable, of id: EpisodeID
    ) async throws(CallFailure) -> WriteOutcome {
        guard !id.isLocal else { return .gone }
        guard let feature = endpoint.feature, !missing.contains(feature) else { return .unsupported }
        // Feeds and guids of another server may well be called the same.
        guard try await id.server == knownIdentity() else { throw CallFailure(.internal, "a record of another server") }
        let response = try await ask(endpoint, body: Self.encoded(body))
        switch response.status {
        // The server has nothing to say: done, and no version.
        case 204: try Judgement.accept(response, from: origin(), feature: feature)
        case 409, 412: return .conflict(try await present(response, id))
        case 404, 405, 501: return try await isGone(id, feature)
        default:
            let written = try Judgement.value(WireWritten.self, of: response, from: origin(), feature: feature)
            return .accepted(version: written.version, updated: written.updated)
        }
        return .accepted(version: nil, updated: nil)
    }

    /// The entry that the conflict's answer carries, else as it is read.
    private func present(_ response: HTTPResponse, _ id: EpisodeID) async throws(CallFailure) -> Episode {
        if let wire = try? Judgement.decoded(WireEntry.self, response), wire.guid != nil,
            let episode = try? episode(wire, asked: id)
        {
            return episode
        }
        return try await entry(id)
    }

    /// A write that is not found: either the entry is gone, or the server doesn't know such writes. Reading the entry tells.
    private func isGone(_ id: EpisodeID, _ feature: Feature) async throws(CallFailure) -> WriteOutcome {
        do throws(CallFailure) {
            _ = try await entry(id)
        } catch {
            guard error.kind == .notFound else { throw error }
            return .gone
        }
        _ = switchOff(feature)
        return .unsupported
    }

    private static func encoded(_ body: some Encodable) throws(CallFailure) -> [UInt8] {
        do { return try Array(JSONEncoder().encode(body)) } catch {
            throw CallFailure(.internal, "a number that JSON can't say")
        }
    }
}
