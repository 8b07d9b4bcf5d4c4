import CCurl

/// An absolute http or https URL as libcurl's own parser reads it, so that what we judge is what is asked for.
public struct HTTPURL: Hashable, Sendable {
    /// Normalised: no fragment; spaces and bytes over 127 percent-encoded.
    public let string: String
    public let origin: Origin
    public let path: String
    /// `user:password@` stands in it, which libcurl sends as Basic authorization.
    let hasUserInfo: Bool

    /// Nil when it is not absolute, not http or https, or not a URL.
    public init?(_ string: String) {
        self.init(string, from: nil)
    }

    /// `hasOwnPath`: see HTTPRequest.
    init?(_ string: String, hasOwnPath: Bool) {
        self.init(string, from: nil, hasOwnPath ? CURLU_PATH_AS_IS : 0)
    }

    /// What `reference` (absolute, `//host/…`, `/path`, `path`, `?query`) means here: RFC 3986, section 5.
    public func resolving(_ reference: String) -> HTTPURL? {
        HTTPURL(reference, from: self)
    }

    /// Scheme, host and path: the part that may stand in a log.
    public var withoutSecrets: String { "\(origin)\(path)" }

    private init?(_ string: String, from base: HTTPURL?, _ more: Int32 = 0) {
        guard let parser = curl_url() else { return nil }
        defer { curl_url_cleanup(parser) }
        // The flags are the ones libcurl follows redirects with: servers do send spaces.
        let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE | more)
        if let base, curl_url_set(parser, CURLUPART_URL, base.string, 0) != CURLUE_OK { return nil }
        guard curl_url_set(parser, CURLUPART_URL, string, flags) == CURLUE_OK,
            curl_url_set(parser, CURLUPART_FRAGMENT, nil, 0) == CURLUE_OK,
            let scheme = Self.part(parser, CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https",
            let host = Self.part(parser, CURLUPART_HOST), !host.isEmpty,
            let port = Self.part(parser, CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) }),
            let whole = Self.part(parser, CURLUPART_URL)
        else { return nil }
        self.string = whole
        origin = Origin(scheme: scheme, host: host, port: port)
        path = Self.part(parser, CURLUPART_PATH) ?? "/"
        hasUserInfo = Self.part(parser, CURLUPART_USER) != nil
    }

    private static func part(_ parser: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parser, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
