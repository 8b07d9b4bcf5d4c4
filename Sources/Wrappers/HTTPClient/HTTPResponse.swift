/// Header fields in the order they came; names are compared without case (RFC 9110, section 5.1).
public struct HTTPHeaders: Sendable, Hashable {
    struct Field: Sendable, Hashable {
        var name: String
        var value: String
    }

    private(set) var fields: [Field] = []

    public init() {}

    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The first value under `name`.
    public subscript(name: String) -> String? { all(name).first }

    public func all(_ name: String) -> [String] {
        let wanted = name.lowercased()
        return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
    }
}

/// Status and headers of the final answer, before its body.
public struct HTTPHead: Sendable, Hashable {
    public var status: Int
    public var headers: HTTPHeaders
    /// Where the chain of redirects ended.
    public var finalURL: String

    public init(status: Int, headers: HTTPHeaders, finalURL: String) {
        self.status = status
        self.headers = headers
        self.finalURL = finalURL
    }

    /// The server's clock (`Date`), as it wrote it.
    public var date: String? { headers["Date"] }

    /// Bytes announced for the body, packed as it is sent. Nil also when it is chunked, which overrules a length (RFC 9112,
    /// section 6.3).
    public var contentLength: Int64? {
        guard headers["Transfer-Encoding"] == nil, let length = headers["Content-Length"].flatMap({ Int64($0) }) else {
            return nil
        }
        return length >= 0 ? length : nil
    }
}

public struct HTTPResponse: Sendable, Hashable {
    public var head: HTTPHead
    /// Unpacked if the server packed it although identity was asked for.
    public var body: [UInt8]

    public init(head: HTTPHead, body: [UInt8]) {
        self.head = head
        self.body = body
    }

    public var status: Int { head.status }
    public var headers: HTTPHeaders { head.headers }
    public var finalURL: String { head.finalURL }
    public var date: String? { head.date }
}
