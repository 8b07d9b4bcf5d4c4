import CINI
import Glibc

/// Feeds libinih line by line and listens to what it makes of each.
///
/// Needed because Debian's libinih tells its handler no line number, cuts a line at 200 bytes without a word, takes an
/// indented line for the former one's continuation, and reports only the first line it can't read. Here a line is counted
/// as it is handed over, refused when too long, and stripped of its indentation; a line that should have been an entry and
/// led to no call of the handler is one that libinih could not read.
final class LineSource {
    private let lines: [ArraySlice<UInt8>]
    /// Lines handed over so far: the number of the one libinih is at.
    private var line = 0
    private var awaitsEntry = false
    private var entries: [INIFile.Entry] = []
    private var headings: [INIFile.Heading] = []
    private var complaints: [INIFile.Complaint] = []

    init(_ bytes: [UInt8]) {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        lines = body.split(separator: 0x0A, omittingEmptySubsequences: false)
    }

    func parse() -> INIFile {
        // Unretained: the calls end before `ini_parse_stream` does, and `self` lives as long as this method.
        let me = Unmanaged.passUnretained(self).toOpaque()
        let result = ini_parse_stream(readLine, me, takeEntry, me)
        if result == -2 { complain("out of memory", at: 0) }
        return INIFile(entries: entries, headings: headings, complaints: complaints)
    }

    /// The next line without indentation and line ending; a refused one is empty, so that libinih's count stays ours.
    fileprivate func next() -> ArraySlice<UInt8>? {
        finishLine()
        guard line < lines.count else { return nil }
        line += 1
        let text = lines[line - 1].drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        guard let flaw = flaw(of: text) else {
            classify(text)
            return text
        }
        complain(flaw, at: line)
        return []
    }

    fileprivate func take(section: String, key: String, value: String) {
        awaitsEntry = false
        entries.append(.init(section: section, key: key, value: value, line: line))
    }

    private func finishLine() {
        if awaitsEntry { complain("neither a [section] nor key=value", at: line) }
        awaitsEntry = false
    }

    private func flaw(of text: ArraySlice<UInt8>) -> String? {
        if text.count > INIFile.longestLine { return "longer than \(INIFile.longestLine) bytes" }
        if text.contains(0) { return "holds a NUL byte" }
        if String(validating: text, as: UTF8.self) == nil { return "not UTF-8" }
        return nil
    }

    private func classify(_ text: ArraySlice<UInt8>) {
        let comment = UInt8(ascii: "#"), semicolon = UInt8(ascii: ";")
        guard let first = text.first(where: { !isspace($0) }), first != comment, first != semicolon else { return }
        guard first == UInt8(ascii: "[") else { return awaitsEntry = true }
        guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return awaitsEntry = true }
        let name = String(decoding: text[text.index(after: text.startIndex)..<end], as: UTF8.self)
        // To libinih a comment may begin inside the brackets, and then it is no heading.
        guard !name.contains(";") else { return awaitsEntry = true }
        headings.append(.init(section: name, line: line))
    }

    private func isspace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private func complain(_ text: String, at line: Int) { complaints.append(.init(line: line, text: text)) }
}

/// libinih's `ini_reader`: like fgets(3). `stream` is the `LineSource`.
private func readLine(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ stream: UnsafeMutableRawPointer?
) -> UnsafeMutablePointer<CChar>? {
    guard let buffer, let stream else { return nil }
    guard let line = Unmanaged<LineSource>.fromOpaque(stream).takeUnretainedValue().next() else { return nil }
    // Lines are far shorter than libinih's buffer of 200; a build of it with a smaller one still gets no overrun.
    let count = min(line.count, Int(size) - 2)
    for (offset, byte) in line.prefix(count).enumerated() { buffer[offset] = CChar(bitPattern: byte) }
    buffer[count] = CChar(0x0A)
    buffer[count + 1] = 0
    return buffer
}

/// libinih's `ini_handler`; 1 is its word for "fine". `user` is the `LineSource`.
private func takeEntry(
    _ user: UnsafeMutableRawPointer?, _ section: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?,
    _ value: UnsafePointer<CChar>?
) -> Int32 {
    guard let user, let section, let key, let value else { return 0 }
    Unmanaged<LineSource>.fromOpaque(user).takeUnretainedValue()
        .take(section: String(cString: section), key: String(cString: key), value: String(cString: value))
    return 1
}
