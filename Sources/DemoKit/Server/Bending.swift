/// Bends a right answer the way the faults that hold say.
struct Bending: Sendable {
    var request: ServedRequest
    /// Different for every answer of a server.
    var serial: Int

    func bend(_ answer: inout Answer, by fault: Fault) {
        switch fault.kind {
        case .cut, .noAnswer, .stall, .slow, .delay, .overtaken, .chunked, .contentLength:
            bendDelivery(&answer, by: fault)
        case .contentRange, .contentType, .status, .redirect, .changingValidators, .noValidators, .refuseRange:
            bendHead(&answer, by: fault)
        case .gzip, .html, .text, .halfJSON, .emptyList, .noVersions, .numbersAsStrings, .entryFields:
            bendBody(&answer, by: fault)
        case .ignoreRange, .ignoreIfRange, .forgetWrites, .dateOffset, .date:
            break  // looked at where the answer is made or dated
        }
    }

    private func bendDelivery(_ answer: inout Answer, by fault: Fault) {
        switch fault.kind {
        case .cut(let bytes, let reset): (answer.delivery.limit, answer.delivery.end) = (bytes, reset ? .reset : .close)
        case .stall(let bytes): (answer.delivery.limit, answer.delivery.end) = (bytes, .stall)
        case .noAnswer: answer.delivery.isSilent = true
        case .slow(let rate): answer.delivery.bytesPerSecond = max(1, rate)
        case .delay(let seconds): answer.delivery.delay += seconds
        case .overtaken(let count): answer.delivery.overtakenBy = (count, fault.path)
        case .chunked(let lastChunk): answer.delivery.lastChunk = lastChunk
        case .contentLength(let length): answer.delivery.contentLength = length
        default: break
        }
    }

    private func bendHead(_ answer: inout Answer, by fault: Fault) {
        switch fault.kind {
        case .contentRange(let text):
            answer.status = 206
            answer.set("Content-Range", text)
        case .contentType(let type): answer.set("Content-Type", type)
        case .status(let status, let retryAfter): replace(&answer, .plain(status, Answer.reason(status)), retryAfter)
        case .refuseRange(let status):
            if request.headers["range"] != nil { replace(&answer, .plain(status, Answer.reason(status)), nil) }
        case .redirect(let target, let status):
            let url = target.map {
                $0.split(separator: "{path}", omittingEmptySubsequences: false).joined(separator: request.target)
            }
            replace(&answer, Answer(status, headers: [("Location", url ?? request.target)]), nil)
        case .changingValidators:
            answer.set("ETag", "\"changed-\(serial)\"")
            answer.set("Last-Modified", httpDate(1_700_000_000 + Double(serial)))
        case .noValidators:
            answer.set("ETag", nil)
            answer.set("Last-Modified", nil)
        default: break
        }
    }

    private func bendBody(_ answer: inout Answer, by fault: Fault) {
        switch fault.kind {
        case .gzip:
            answer.body = .bytes(StoredDeflate.gzip(Transmission.bytes(of: answer.body)))
            answer.set("Content-Encoding", "gzip")
        case .html(let type):
            replace(&answer, Answer(200, .bytes(Array(signInForm.utf8)), headers: [("Content-Type", type)]), nil)
        case .text(let text, let type):
            replace(&answer, Answer(200, .bytes(Array(text.utf8)), headers: [("Content-Type", type)]), nil)
        case .halfJSON:
            let bytes = Transmission.bytes(of: answer.body)
            answer.body = .bytes(Array(bytes.prefix(bytes.count / 2)))
        default:
            if case .json(let value) = answer.body { answer.body = .json(bend(value, by: fault.kind)) }
        }
    }

    private func bend(_ value: JSONValue, by kind: Fault.Kind) -> JSONValue {
        switch kind {
        case .emptyList:
            if case .array = value { return .array([]) }
            return value["entries"] == nil ? value : .object(["entries": .array([]), "next": .null])
        case .noVersions: return value.mappingObjects { $0.filter { $0.key != "version" } }
        case .numbersAsStrings: return value.withNumbersAsStrings
        case .entryFields(let fields):
            return value.mappingObjects { object in
                object["feedId"] == nil ? object : object.merging(fields) { _, new in new }
            }
        default: return value
        }
    }

    /// A whole other answer; how it is delivered stays.
    private func replace(_ answer: inout Answer, _ other: Answer, _ retryAfter: String?) {
        let delivery = answer.delivery
        answer = other
        answer.delivery = delivery
        answer.set("Retry-After", retryAfter)
    }
}

/// What a captive portal or an access proxy shows instead of the audio.
private let signInForm: String = {
    let head = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1>\n"
    let form = "<form method=\"post\" action=\"/login\"><input name=\"user\"><input name=\"password\" type=\"password\">"
    let rest = "<button>Sign in</button></form></body></html>\n"
    let filler = String(repeating: "<p>This network asks you to accept its terms before you go on.</p>\n", count: 7)
    return head + form + filler + rest
}()
