import EventLoop
import HTTPClient
import Library

/// A picture, or the news that the kept one is still right.
public enum ArtworkAnswer: Hashable, Sendable {
    case image([UInt8], ImageKind, etag: String?)
    case notModified
}

/// What the bytes say, whatever the type says.
public enum ImageKind: String, Hashable, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"

    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: "GIF8".utf8) {
            self = .gif
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }
}

extension IpxServer {
    /// `listed`: the address as the server lists it. `etag`: of the picture that is kept already.
    public func artwork(_ listed: String, etag: String? = nil) async throws(CallFailure) -> ArtworkAnswer {
        guard let address = ListedAddress(listed, access) else {
            throw CallFailure(.badAddress, "artwork that may not be asked for")
        }
        var request = HTTPRequest(url: address.url.string, credentials: address.credentials)
        request.headers = [("Accept", "image/*")] + (etag.map { [("If-None-Match", $0)] } ?? [])
        let response = try await send(request)
        if response.status == 304, etag != nil { return .notModified }
        // A picture may lie on another server, so its origin is not looked at.
        let origin = Origin(url: response.finalURL) ?? address.url.origin
        try Judgement.accept(response, from: origin, feature: .artwork)
        guard let kind = ImageKind(response.body) else {
            if Judgement.isPage(response.body) { throw Judgement.page(response, response.body) }
            throw CallFailure(.notAnAnswer, "not a picture, \(response.body.count) bytes")
        }
        return .image(response.body, kind, etag: response.headers["ETag"])
    }
}
