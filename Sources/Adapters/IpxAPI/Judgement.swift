import HTTPClient
import Library

/// Tells an answer from what only looks like one.
enum Judgement {
    /// The body as `type`; anything but a 2xx with such a JSON is a failure.
    static func value<T: Decodable>(
        _ type: T.Type, of response: HTTPResponse, from base: Origin, feature: Feature?
    ) throws(CallFailure) -> T {
        try accept(response, from: base, feature: feature)
        return try decoded(type, response)
    }

    /// Throws unless the status is a success and our own server gave it.
    static func accept(_ response: HTTPResponse, from base: Origin, feature: Feature?) throws(CallFailure) {
        // Credentials were dropped on the way, so what another origin says is neither ours nor to be believed.
        guard Origin(url: response.finalURL) == base else {
            throw CallFailure(.notAnAnswer, "another server answered: captive or sign-in page")
        }
        let status = response.status
        switch status {
        case 200...299: return
        case 401, 403: throw CallFailure(.signIn, "status \(status)")
        case 404: throw CallFailure(.notFound, "status 404")
        case 405, 501: throw CallFailure(.unsupported(feature), "status \(status)")
        // 511: the network's own sign-in (RFC 6585, section 6).
        case 300...399, 407, 511: throw CallFailure(.notAnAnswer, "status \(status)")
        case 408, 425, 429, 500...599:
            throw CallFailure(.tryLater(status: status), "status \(status)", retryAfter: retryAfter(response))
        default: throw CallFailure(.refused(status: status), "status \(status)")
        }
    }

    static func decoded<T: Decodable>(_ type: T.Type, _ response: HTTPResponse) throws(CallFailure) -> T {
        let body = withoutByteOrderMark(response.body)
        if isPage(body) { throw page(response, body) }
        do {
            return try OutsideJSON.decoded(type, from: body)
        } catch {
            let isJSON = (try? OutsideJSON.decoded(AnyJSON.self, from: body)) != nil
            throw CallFailure(.notAnAnswer, isJSON ? "JSON of another shape" : "broken JSON, \(body.count) bytes")
        }
    }

    /// HTML by its first byte, whatever its type says.
    static func isPage(_ body: some Sequence<UInt8>) -> Bool {
        body.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
    }

    /// A page that came over https all the way is the server's own, since nobody in between can forge it: with a password field
    /// it is its sign-in. Over http it may be any network's.
    static func page(_ response: HTTPResponse, _ body: some Sequence<UInt8>) -> CallFailure {
        let text = String(decoding: Array(body.prefix(65536)), as: UTF8.self).lowercased()
        let asksPassword = ["type=\"password\"", "type='password'", "type=password"].contains { text.contains($0) }
        if asksPassword, response.finalURL.hasPrefix("https://") { return CallFailure(.signIn, "the server's sign-in page") }
        return CallFailure(.notAnAnswer, "captive or sign-in page")
    }

    /// Seconds, at most a day (RFC 9110, section 10.2.3); a date counts from the answer's own.
    static func retryAfter(_ response: HTTPResponse) -> Seconds? {
        guard let text = response.headers["Retry-After"] else { return nil }
        if let seconds = NumberText.number(text) { return min(max(0, seconds), 86_400) }
        guard let until = HTTPDate.parse(text), let now = response.date.flatMap({ HTTPDate.parse($0) }) else { return nil }
        return min(max(0, Seconds(until.milliseconds - now.milliseconds) / 1000), 86_400)
    }

    private static func withoutByteOrderMark(_ body: [UInt8]) -> ArraySlice<UInt8> {
        body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]
    }
}

/// Any JSON at all.
private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() || (try? value.decode(Bool.self)) != nil || (try? value.decode(Double.self)) != nil { return }
        if (try? value.decode(String.self)) != nil || (try? value.decode([AnyJSON].self)) != nil { return }
        _ = try value.decode([String: AnyJSON].self)
    }
}
