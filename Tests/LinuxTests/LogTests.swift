import Foundation
import Testing

@testable import Linux

/// Lines written so far; the log may write from any thread.
private final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    func append(_ line: String) { lock.withLock { lines.append(line) } }
    var all: [String] { lock.withLock { lines } }
}

@Suite("Log and secrets", .timeLimit(.minutes(1)))
struct LogTests {
    @Test("a line is its priority, a message that never varies, and fields")
    func line() {
        let lines = Lines()
        let log = Log(level: .info) { lines.append($0) }
        log.info("car connected", ["address": "AA:BB", "volume": 40])
        log.debug("not asked for", ["x": 1])
        log.error("store failed")
        #expect(lines.all == ["<6>car connected address=AA:BB volume=40", "<3>store failed"])
    }

    @Test(
        "a value can't break out of its field or line",
        arguments: [
            ("plain", "plain"), ("", "\"\""), ("two words", "\"two words\""), ("a=b", "\"a=b\""),
            ("x\n<3>forged", "\"x\\n<3>forged\""), ("say \"hi\"", "\"say \\\"hi\\\"\""), ("bell\u{7}", "\"bell\\u{7}\""),
            ("Überfall", "Überfall"),
        ])
    func quoting(value: String, written: String) { #expect(Log.quoted(value) == written) }

    @Test("levels by name; an unknown name is none")
    func levels() {
        #expect(Log.Level("debug") == .debug)
        #expect(Log.Level("loud") == nil)
    }

    @Test("a stream that is not the journal's is not taken for it")
    func journal() {
        setenv("JOURNAL_STREAM", "1:1", 1)
        defer { unsetenv("JOURNAL_STREAM") }
        #expect(!Log.isJournal(2))
        var status = stat()
        fstat(2, &status)
        setenv("JOURNAL_STREAM", "\(status.st_dev):\(status.st_ino)", 1)
        #expect(Log.isJournal(2))
    }

    @Test("a secret shows in no way of printing it")
    func secret() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), String(describing: [secret]), dumped] {
            #expect(!text.contains("hunter2"))
        }
        #expect(secret.reveal() == "hunter2")
        #expect(Log.line(.info, "token", ["value": secret]) == "<6>token value=***")
    }
}
