import FoundationEssentials

/// Why a fault file can't be used.
public struct FaultFileError: Error, Hashable, CustomStringConvertible {
    public var description: String
}

extension Fault {
    /// The JSON form: a list of objects with `path`, `method`, `after` and `times` (all optional), and one of
    /// `cut`, `reset`, `noAnswer`, `stall`, `slow`, `delay`, `overtaken`, `ignoreRange`, `refuseRange`, `ignoreIfRange`,
    /// `contentRange`, `chunked` (true: with its last chunk), `contentLength`, `contentType`, `gzip`, `status` (with
    /// `retryAfter`), `html`, `text` (with `type`), `halfJSON`, `emptyList`, `redirect` (URL or `"self"`, with `code`),
    /// `changingValidators`, `noValidators`, `dateOffset`, `date`, `noVersions`, `numbersAsStrings`, `entryFields`,
    /// `forgetWrites`.
    public static func list(json bytes: [UInt8]) throws(FaultFileError) -> [Fault] {
        guard let entries = JSONValue(bytes: bytes)?.array else {
            throw FaultFileError(description: "a fault file is a JSON list of objects")
        }
        var faults: [Fault] = []
        for (index, entry) in entries.enumerated() {
            guard case .object(let fields) = entry else {
                throw FaultFileError(description: "fault \(index + 1) is no object")
            }
            guard let kind = kind(fields) else {
                throw FaultFileError(description: "fault \(index + 1) names no known kind: \(fields.keys.sorted())")
            }
            faults.append(
                Fault(
                    kind, on: fields["path"]?.string ?? "*", method: fields["method"]?.string,
                    after: fields["after"]?.number.map { Int($0) } ?? 0, times: fields["times"]?.number.map { Int($0) }))
        }
        return faults
    }

    private static func kind(_ fields: [String: JSONValue]) -> Kind? {
        transferKind(fields) ?? headKind(fields) ?? contentKind(fields)
    }

    private static func transferKind(_ fields: [String: JSONValue]) -> Kind? {
        if let bytes = fields["cut"]?.number { return .cut(afterBytes: Int(bytes)) }
        if let bytes = fields["reset"]?.number { return .cut(afterBytes: Int(bytes), reset: true) }
        if let bytes = fields["stall"]?.number { return .stall(afterBytes: Int(bytes)) }
        if let rate = fields["slow"]?.number { return .slow(bytesPerSecond: Int(rate)) }
        if let seconds = fields["delay"]?.number { return .delay(seconds) }
        if let count = fields["overtaken"]?.number { return .overtaken(by: Int(count)) }
        if let whole = fields["chunked"]?.bool { return .chunked(lastChunk: whole) }
        return fields["noAnswer"] != nil ? .noAnswer : nil
    }

    private static func headKind(_ fields: [String: JSONValue]) -> Kind? {
        if let status = fields["refuseRange"]?.number { return .refuseRange(status: Int(status)) }
        if let text = fields["contentRange"]?.string { return .contentRange(text) }
        if let length = fields["contentLength"]?.number { return .contentLength(Int(length)) }
        if let type = fields["contentType"] { return .contentType(type.string) }
        if let status = fields["status"]?.number {
            return .status(Int(status), retryAfter: fields["retryAfter"]?.string)
        }
        if let target = fields["redirect"]?.string {
            let status = fields["code"]?.number.map { Int($0) } ?? 302
            return .redirect(to: target == "self" ? nil : target, status: status)
        }
        if let seconds = fields["dateOffset"]?.number { return .dateOffset(seconds) }
        if let date = fields["date"] { return .date(date.string) }
        return flag(fields, ["ignoreRange": .ignoreRange, "ignoreIfRange": .ignoreIfRange, "gzip": .gzip])
            ?? flag(fields, ["changingValidators": .changingValidators, "noValidators": .noValidators])
    }

    private static func contentKind(_ fields: [String: JSONValue]) -> Kind? {
        if let type = fields["html"] { return type.string.map { .html(type: $0) } ?? .html() }
        if let text = fields["text"]?.string { return .text(text, type: fields["type"]?.string ?? "application/json") }
        if case .object(let replaced)? = fields["entryFields"] { return .entryFields(replaced) }
        return flag(fields, ["halfJSON": .halfJSON, "emptyList": .emptyList, "noVersions": .noVersions])
            ?? flag(fields, ["numbersAsStrings": .numbersAsStrings, "forgetWrites": .forgetWrites])
    }

    private static func flag(_ fields: [String: JSONValue], _ kinds: [String: Kind]) -> Kind? {
        kinds.first { fields[$0.key] != nil }?.value
    }
}
