import Glibc

/// The terminal a person sits at, if there is one.
public enum Terminal {
    public static var isInput: Bool { isatty(STDIN_FILENO) == 1 }
    public static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Columns of standard output; nil when it is no terminal or doesn't tell.
    public static var columns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Asks on the terminal and reads one line that is not shown. Nil when the person gave up (Ctrl-C, Ctrl-D).
    /// Throws `ENOTTY` or `ENXIO` when there is no terminal.
    public static func readSecret(prompt: String) throws(Errno) -> Secret? {
        try readSecret(prompt: prompt, terminal: FileDescriptor.open("/dev/tty", O_RDWR | O_NOCTTY))
    }

    static func readSecret(prompt: String, terminal: borrowing FileDescriptor) throws(Errno) -> Secret? {
        let number = terminal.number
        var before = termios()
        try check { tcgetattr(number, &before) }
        var silent = before
        // Signals off as well: Ctrl-C must not leave the terminal silent.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        try check { tcsetattr(number, TCSAFLUSH, &silent) }
        defer { tcsetattr(number, TCSAFLUSH, &before) }
        try terminal.write(Array(prompt.utf8))
        let line = try readLine(terminal)
        try terminal.write([0x0a])
        return line.map { Secret(String(decoding: $0, as: UTF8.self)) }
    }

    private static func readLine(_ terminal: borrowing FileDescriptor) throws(Errno) -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            guard let byte = try terminal.read(upTo: 1).first else { return nil }
            switch byte {
            case 0x0a, 0x0d: return line
            case 0x03, 0x04: return nil
            case 0x08, 0x7f: removeLastCharacter(&line)
            case 0x15: line = []
            default: line.append(byte)
            }
        }
    }

    /// One character may be several bytes of UTF-8; those after the first are 10xxxxxx.
    private static func removeLastCharacter(_ line: inout [UInt8]) {
        while let byte = line.popLast(), byte & 0xc0 == 0x80 {}
    }
}
