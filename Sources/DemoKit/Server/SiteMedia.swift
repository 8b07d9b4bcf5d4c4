import Glibc

// `/api/art` and `/media/…`.
extension Site {
    func art(_ request: ServedRequest) -> Answer {
        guard let show = library.shows.first(where: { $0.id == request.query["feed"] }) else {
            return .plain(404, "no such feed")
        }
        let side = request.query["size"].flatMap { Int($0) } ?? 128
        let image = show.artwork ?? plainPNG(size: min(max(side, 1), 1024), color: show.color)
        let etag = "\"art-\(show.id)-\(StoredDeflate.crc32(image))\""
        if request.headers["if-none-match"] == etag { return Answer(304, headers: [("ETag", etag)]) }
        return Answer(200, .bytes(image), headers: [("Content-Type", "image/png"), ("ETag", etag)])
    }

    func media(_ request: ServedRequest, _ path: String, _ faults: [Fault]) -> Answer {
        let enclosures = library.shows.flatMap(\.episodes).flatMap(\.enclosures)
        guard let enclosure = enclosures.first(where: { $0.url == path }), let size = Self.size(of: enclosure) else {
            return .plain(404, "no such file")
        }
        let etag = "\"\(enclosure.name)-\(enclosure.revision)-\(size)\""
        let modified = httpDate(1_740_000_000 + Double(enclosure.revision))
        let headers = [
            ("Content-Type", enclosure.type), ("Accept-Ranges", "bytes"), ("ETag", etag), ("Last-Modified", modified),
        ]
        let condition = request.headers["if-range"]
        let isSame = condition == nil || condition == etag || condition == modified
        let ignored = faults.contains {
            switch $0.kind {
            case .ignoreRange: true
            case .ignoreIfRange: condition != nil
            default: false
            }
        }
        guard !ignored, isSame, let text = request.headers["range"], let wanted = Self.range(text, size: size) else {
            return Answer(200, Self.body(enclosure, 0, size), headers: headers)
        }
        guard !wanted.isEmpty else {
            return Answer(416, headers: [("Content-Range", "bytes */\(size)")])
        }
        let range = ("Content-Range", "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/\(size)")
        return Answer(206, Self.body(enclosure, wanted.lowerBound, wanted.count), headers: headers + [range])
    }

    static func size(of enclosure: DemoEnclosure) -> Int? {
        switch enclosure.content {
        case .bytes(let bytes): return bytes.count
        case .elsewhere: return nil
        case .file(let path):
            var info = stat()
            return stat(path, &info) == 0 ? Int(info.st_size) : nil
        }
    }

    private static func body(_ enclosure: DemoEnclosure, _ offset: Int, _ count: Int) -> Answer.Body {
        switch enclosure.content {
        case .bytes(let bytes): .bytes(Array(bytes[offset..<offset + count]))
        case .file(let path): .file(path: path, offset: offset, count: count)
        case .elsewhere: .bytes([])
        }
    }

    /// One range of RFC 9110, section 14.1.2. Empty: not satisfiable. Nil: not understood, so to be ignored.
    static func range(_ text: String, size: Int) -> Range<Int>? {
        guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
        let ends = text.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let count = Int(ends[1]) else { return nil }
            return max(0, size - count)..<size
        }
        guard let first = Int(ends[0]), ends[1].isEmpty || Int(ends[1]) != nil else { return nil }
        let last = min(Int(ends[1]) ?? size - 1, size - 1)
        return first <= last ? first..<(last + 1) : 0..<0
    }
}
