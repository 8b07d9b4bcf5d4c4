import DemoKit
import Glibc

/// What the terminal was before; a plain global, since a signal handler may take no lock.
private nonisolated(unsafe) var before = termios()
private nonisolated(unsafe) var isChanged = false

private let showAgain = Array("\u{1b}[?25h\u{1b}[?1049l".utf8)

/// Only what signal-safety(7) allows: tcsetattr(3) and write(2).
private func putBack() {
    guard isChanged else { return }
    isChanged = false
    showAgain.withUnsafeBufferPointer { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    tcsetattr(STDIN_FILENO, TCSANOW, &before)
}

/// The terminal for drawing: another page, no cursor, keys as they come. Put back by `restore()`, at exit, and by a crash.
struct Screen {
    init() throws(DemoError) {
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { throw DemoError("no terminal") }
        // Made now: a lazy global is no thing for a signal handler.
        _ = showAgain.count
        atexit { putBack() }
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT] {
            signal(number) { number in
                putBack()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        var raw = before
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
        // A demo stopped by Ctrl-Z would leave the terminal as it is; 0 is Linux' _POSIX_VDISABLE.
        withUnsafeMutableBytes(of: &raw.c_cc) { $0[Int(VSUSP)] = 0 }
        isChanged = true
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        let page = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J"
        _ = write(STDOUT_FILENO, page, page.utf8.count)
    }

    func restore() { putBack() }
}
