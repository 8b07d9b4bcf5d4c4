import HTTPClient
import Testing

@testable import Media

@Suite("Rules of fetching")
struct RuleTests {
    @Test("ranges join, overlap and tell what is missing, as a plain set of bytes would")
    func ranges() {
        var noise = Noise(seed: 3)
        for _ in 0..<200 {
            var ranges = ByteRanges()
            var set = Set<Int64>()
            for _ in 0..<8 {
                let start = Int64(noise.below(60))
                let range = start..<start + Int64(noise.below(12))
                ranges.insert(range)
                set.formUnion(range)
            }
            #expect(ranges.count == Int64(set.count))
            #expect(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            for offset in Int64(0)..<75 {
                #expect(ranges.contains(offset) == set.contains(offset))
                #expect(ranges.firstMissing(from: offset) == (offset...80).first { !set.contains($0) })
                if !set.contains(offset) { #expect(ranges.gapEnd(from: offset) == set.filter { $0 > offset }.min()) }
            }
        }
    }

    @Test("asks where the reader waits, then on from there, then for the gaps; never at or after the end")
    func plan() {
        func next(_ ranges: [Range<Int64>], _ total: Int64?, _ demand: Int64, _ allows: Bool = true) -> String? {
            FetchPlan.next(present: ByteRanges(ranges), total: total, demand: demand, allowsRange: allows)
                .map { $0.rangeHeader ?? "whole" }
        }
        #expect(next([], nil, 0) == "bytes=0-")
        #expect(next([0..<100], 1000, 500) == "bytes=500-")
        #expect(next([0..<100, 700..<900], 1000, 500) == "bytes=500-699")
        #expect(next([0..<100, 700..<1000], 1000, 800) == "bytes=100-699")
        #expect(next([0..<1000], 1000, 0) == nil)
        #expect(next([0..<1000], 1000, 1000) == nil)
        #expect(next([0..<100], 1000, 500, false) == "whole")
        #expect(next([0..<1000], nil, 0) == "bytes=1000-")
    }

    @Test("Content-Range as the standard has it, and nothing else")
    func contentRange() {
        #expect(ContentRange("bytes 0-99/200").map { [$0.first, $0.total] } == [0, 200])
        #expect(ContentRange("Bytes 5-9/*").map { [$0.first, $0.total] } == [5, nil])
        #expect(ContentRange("bytes */200").map { [$0.first, $0.total] } == [nil, 200])
        for wrong in [
            "", "bytes", "bytes 0-99", "bytes 9-5/20", "bytes 0-20/20", "bytes -5/20", "lines 0-1/2", "bytes a-b/c",
        ] {
            #expect(ContentRange(wrong)?.first == nil, "\(wrong)")
        }
    }

    @Test("editions: ETag first, else date and size; a different size is always another file")
    func validators() {
        let base = Validator(etag: "\"a\"", lastModified: "m", total: 5)
        #expect(base.compare(base) == .same)
        #expect(base.compare(Validator(etag: "\"b\"", lastModified: "m", total: 5)) == .changed)
        #expect(base.compare(Validator(lastModified: "m", total: 5)) == .same)
        #expect(base.compare(Validator(lastModified: "n", total: 5)) == .changed)
        #expect(base.compare(Validator(etag: "\"a\"", total: 6)) == .changed)
        #expect(base.compare(Validator(total: 5)) == .unknown)
        #expect(Validator().compare(Validator()) == .unknown)
    }

    private func head(_ status: Int, _ headers: [String: String] = [:]) -> HTTPHead {
        var fields = HTTPHeaders()
        for (name, value) in headers { fields.add(name, value) }
        return HTTPHead(status: status, headers: fields, finalURL: "http://h/")
    }

    @Test("answers are judged by status, range, length and edition")
    func judged() {
        let first = AnswerJudge(plan: FetchPlan(start: 0, end: nil, usesRange: true), known: nil)
        let later = AnswerJudge(
            plan: FetchPlan(start: 50, end: nil, usesRange: true), known: Validator(etag: "\"a\"", total: 100))
        let whole = AnswerJudge(plan: FetchPlan(start: 0, end: nil, usesRange: false), known: nil)
        #expect(first.judge(head(200, ["Content-Length": "0"])) == .refused(.empty))
        #expect(first.judge(head(206, ["Content-Range": "bytes 0-0/0"])) == .refused(.rangeUnusable))
        #expect(first.judge(head(206)) == .refused(.rangeUnusable))
        #expect(
            first.judge(head(206, ["Content-Range": "bytes 0-9/10", "Content-Encoding": "gzip"])) == .refused(.rangeUnusable)
        )
        #expect(whole.judge(head(206, ["Content-Range": "bytes 0-9/10"])) == .refused(.rangeUnusable))
        #expect(first.judge(head(406)) == .refused(.rangeUnusable) && first.judge(head(416)) == .refused(.rangeUnusable))
        #expect(whole.judge(head(406)) == .refused(.status(406, retryAfter: nil)))
        #expect(later.judge(head(416, ["Content-Range": "bytes */50"])) == .refused(.beyondEnd(total: 50)))
        #expect(later.judge(head(206, ["Content-Range": "bytes 50-99/100", "ETag": "\"b\""])) == .refused(.changed))
        #expect(later.judge(head(206, ["Content-Range": "bytes 50-99/101"])) == .refused(.changed))
        #expect(later.judge(head(503, ["Retry-After": "7"])) == .refused(.status(503, retryAfter: 7)))
        guard
            case .body(at: 50, total: 100, _, allowsRange: true, comparison: .same) = later.judge(
                head(206, ["Content-Range": "bytes 50-99/100", "ETag": "\"a\""]))
        else {
            Issue.record("a right part was refused")
            return
        }
        guard
            case .body(at: 0, total: 100, _, allowsRange: false, comparison: .same) = later.judge(
                head(200, ["Content-Length": "100", "ETag": "\"a\""]))
        else {
            Issue.record("a whole body was refused")
            return
        }
    }

    @Test("pages are told from audio by their first bytes, however they begin")
    func pages() {
        for page in ["<!DOCTYPE html><p>", "\r\n \t<html lang=en>", "\u{feff}<HTML>", "<!-- x -->", "<head>"] {
            #expect(PageSniffer.look(Array(page.utf8)) == .page, "\(page)")
        }
        for audio in ["ID3\u{4}", "OggS", "<?xml", "\u{0}\u{0}\u{0} ftyp", "RIFF", "fLaC"] {
            #expect(PageSniffer.look(Array(audio.utf8)) == .audio, "\(audio)")
        }
        #expect(PageSniffer.look(Array("  <!doc".utf8)) == .open)
        #expect(PageSniffer.look(Array("  <!doc".utf8), isWhole: true) == .audio)
        #expect(PageSniffer.look([UInt8](repeating: 32, count: 5000)) == .audio)
    }

    @Test("Retry-After in seconds, or as a date against the answer's own clock")
    func retryAfter() {
        #expect(RetryAfter.seconds(head(503, ["Retry-After": "120"])) == 120)
        #expect(RetryAfter.seconds(head(503, ["Retry-After": "-1"])) == nil)
        let date = ["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:51:37 GMT"]
        #expect(RetryAfter.seconds(head(503, date)) == 120)
        #expect(RetryAfter.seconds(head(503, ["Retry-After": "Sun, 06 Nov 1994 08:51:37 GMT"])) == nil)
        #expect(RetryAfter.imfDate("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
        #expect(RetryAfter.imfDate("Thu, 29 Feb 2024 12:00:00 GMT") == 1_709_208_000)
    }

    @Test("waits double up to the longest, spread over their upper half")
    func waits() {
        let timings = FetchTimings()
        #expect((1...7).map { timings.retryDelay(failures: $0, chance: 1) } == [1, 2, 4, 8, 16, 30, 30])
        #expect(timings.retryDelay(failures: 3, chance: 0) == 2)
        #expect(timings.retryDelay(failures: 1000, chance: 0.5) == 22.5)
    }
}
