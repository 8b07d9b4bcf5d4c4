/// What goes back, before and after the faults bent it.
struct Answer: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// Kept as a value until it is sent, so that faults can change it.
        case json(JSONValue)
        case file(path: String, offset: Int, count: Int)
    }

    /// How it goes over the wire.
    struct Delivery: Sendable {
        enum End: Sendable { case complete, close, reset, stall }

        /// Seconds before the first byte.
        var delay = 0.0
        /// Wait for so many later requests that fit this pattern to be answered first.
        var overtakenBy: (count: Int, path: String)?
        var isSilent = false
        /// Body bytes until `end`; nil: all.
        var limit: Int?
        var end = End.complete
        var bytesPerSecond: Int?
        /// Nil: not chunked. False: the last chunk is left out and the connection closed.
        var lastChunk: Bool?
        /// Instead of the body's own length.
        var contentLength: Int?
    }

    var status: Int
    var headers: [(name: String, value: String)] = []
    var body: Body
    var delivery = Delivery()

    init(_ status: Int, _ body: Body = .bytes([]), headers: [(name: String, value: String)] = []) {
        self.status = status
        self.body = body
        self.headers = headers
    }

    static func json(_ value: JSONValue, status: Int = 200) -> Answer {
        Answer(status, .json(value), headers: [("Content-Type", "application/json")])
    }

    static func plain(_ status: Int, _ text: String) -> Answer {
        Answer(status, .bytes(Array((text + "\n").utf8)), headers: [("Content-Type", "text/plain")])
    }

    /// Replaces every header of this name; nil takes them away.
    mutating func set(_ name: String, _ value: String?) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        if let value { headers.append((name, value)) }
    }

    static func reason(_ status: Int) -> String {
        let reasons = [
            200: "OK", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found",
            304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
            405: "Method Not Allowed", 406: "Not Acceptable", 409: "Conflict", 416: "Range Not Satisfiable",
            429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
        ]
        return reasons[status] ?? "Status"
    }
}
