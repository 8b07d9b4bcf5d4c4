/// A way to misbehave, for the requests it is meant for. Several can hold for one request; they are applied in their order.
public struct Fault: Sendable {
    public enum Kind: Sendable {
        /// The connection ends after this many body bytes, whatever the head announced. `reset`: by RST instead of FIN.
        case cut(afterBytes: Int, reset: Bool = false)
        /// The connection ends before a byte of the answer; the request had its effect (with `forgetWrites` it had none).
        case noAnswer
        /// After this many body bytes nothing more comes, and the connection stays open.
        case stall(afterBytes: Int)
        case slow(bytesPerSecond: Int)
        /// Seconds before the answer's first byte; the request has its effect at once.
        case delay(Double)
        /// The answer is held back until this many later requests that fit the fault's path were answered.
        case overtaken(by: Int)
        /// Ranges are not known here: the whole body with 200.
        case ignoreRange
        /// Answer to any request with a Range: 406, 416.
        case refuseRange(status: Int)
        /// 200 and the whole body to every If-Range, also when it fits.
        case ignoreIfRange
        /// 206 with this Content-Range, whatever the body holds.
        case contentRange(String)
        /// No Content-Length; without the last chunk a cut and the end look alike.
        case chunked(lastChunk: Bool)
        /// A Content-Length that is not the body's.
        case contentLength(Int)
        case contentType(String?)
        case gzip
        /// This status and a line of text; a write isn't done.
        case status(Int, retryAfter: String? = nil)
        /// A sign-in form of some 700 bytes with 200, under this type.
        case html(type: String = "text/html; charset=utf-8")
        /// 200 with this body.
        case text(String, type: String = "application/json")
        case halfJSON
        /// Lists are empty.
        case emptyList
        /// To this URL; `{path}` in it is the request's target. Nil: to itself.
        case redirect(to: String?, status: Int = 302)
        /// ETag and Last-Modified are others with every answer.
        case changingValidators
        case noValidators
        /// Date header off by so many seconds.
        case dateOffset(Double)
        /// Date header as given; nil leaves it out.
        case date(String?)
        /// No `version` in answers, none looked at in requests: the older kind of server.
        case noVersions
        case numbersAsStrings
        /// These fields in every entry instead of the true ones.
        case entryFields([String: JSONValue])
        /// A PUT is answered as if done, and forgotten.
        case forgetWrites
    }

    public var kind: Kind
    /// Pattern of the paths; `*` stands for any run of characters.
    public var path: String
    /// Nil: every method.
    public var method: String?
    /// So many fitting requests are served right first.
    public var spared: Int
    /// Then it holds for so many; nil: for ever.
    public var times: Int?

    public init(_ kind: Kind, on path: String = "*", method: String? = nil, after spared: Int = 0, times: Int? = nil) {
        self.kind = kind
        self.path = path
        self.method = method
        self.spared = spared
        self.times = times
    }

    /// Whether a write under this fault leaves everything as it was.
    var forgetsWrites: Bool {
        switch kind {
        case .status, .html, .text, .redirect, .forgetWrites: true
        default: false
        }
    }

    func fits(_ request: ServedRequest, path: String) -> Bool {
        Glob(self.path).matches(path) && (method == nil || method == request.method)
    }
}

/// The faults of a server and how often each was met.
struct FaultBook: Sendable {
    private var faults: [(fault: Fault, met: Int)] = []

    init(_ faults: [Fault] = []) { self.faults = faults.map { ($0, 0) } }

    var all: [Fault] { faults.map(\.fault) }

    mutating func add(_ fault: Fault) { faults.append((fault, 0)) }

    /// Those that hold for this request; counts it as met by every fault it fits.
    mutating func holding(for request: ServedRequest, path: String) -> [Fault] {
        var holding: [Fault] = []
        for index in faults.indices where faults[index].fault.fits(request, path: path) {
            let (fault, met) = faults[index]
            faults[index].met += 1
            if met >= fault.spared, fault.times.map({ met < fault.spared + $0 }) ?? true { holding.append(fault) }
        }
        return holding
    }
}
