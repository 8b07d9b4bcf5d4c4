import Foundation
import Testing

@testable import Linux

/// Both ends of a pseudo terminal.
private struct Pair {
    let person: Int32
    let path: String

    init() throws {
        person = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)); Swift does not import their macros.
        var (locked, number): (Int32, Int32) = (0, -1)
        try #require(ioctl(person, 0x4004_5431, &locked) == 0 && ioctl(person, 0x8004_5430, &number) == 0)
        path = "/dev/pts/\(number)"
    }
}

@Suite("Asking a person for a secret", .serialized, .timeLimit(.minutes(1)))
struct TerminalTests {
    @Test(
        "what is typed is read, not shown",
        arguments: [
            ("secret\r", "secret"), ("se\u{7f}\u{7f}secret\n", "secret"), ("wrong\u{15}right\r", "right"),
            ("grü\u{7f}ün\r", "grün"), ("\r", ""), ("gone\u{3}", nil), ("gone\u{4}", nil),
        ] as [(String, String?)])
    func typed(keys: String, secret: String?) throws {
        let pair = try Pair()
        defer { close(pair.person) }
        let terminal = try FileDescriptor.open(pair.path, O_RDWR | O_NOCTTY)
        // Typing before the echo is off would be thrown away with the flush: the person waits for the prompt. On a thread of
        // its own, since both sides block.
        let person = pair.person
        Thread.detachNewThread {
            _ = read(person, until: ":")
            write(person, keys, keys.utf8.count)
        }
        let answer = try Terminal.readSecret(prompt: "Token: ", terminal: terminal)
        #expect(answer.map { $0.reveal() } == secret)
        let shown = read(person, until: "\n")
        #expect(shown.allSatisfy { $0.isWhitespace }, "\(shown)")
    }
}

private func read(_ number: Int32, until end: Unicode.Scalar) -> String {
    // By scalars: "\r\n" is one character.
    var scalars = String.UnicodeScalarView()
    var byte: UInt8 = 0
    while scalars.last != end, read(number, &byte, 1) == 1 { scalars.append(Unicode.Scalar(byte)) }
    return String(scalars)
}
