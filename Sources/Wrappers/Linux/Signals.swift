import Dispatch
import EventLoop
import Glibc

/// The signals a service lives by.
public enum Signal: Int32, CaseIterable, Sendable {
    /// systemd's stop.
    case terminate = 15
    case interrupt = 2
    /// Read the configuration again.
    case hangUp = 1
}

/// Where the handler writes; set once before it is installed. A plain number, so the handler takes no lock.
private nonisolated(unsafe) var pipeEnd: Int32 = -1

/// Signals as events on the core. One for the whole process, for its whole life; children get the default behaviour back by
/// execve(2), since nothing is blocked or ignored here but SIGPIPE.
@Core
public final class Signals {
    private let source: any DispatchSourceRead
    private let readEnd: FileDescriptor

    /// `action` runs on the core for each signal. SIGPIPE is ignored from now on: a closed socket is an error of write(2).
    public init(_ action: @escaping @Core (Signal) -> Void) throws(Errno) {
        var ends: [Int32] = [-1, -1]
        try check { pipe(&ends) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd = FileDescriptor(owning: ends[0])
        pipeEnd = ends[1]
        let number = ends[0]
        source = DispatchSource.makeReadSource(fileDescriptor: number, queue: Core.queue)
        source.setEventHandler {
            Core.assumeOnCore { for signal in arrived(on: number) { action(signal) } }
        }
        source.activate()
        Glibc.signal(SIGPIPE, SIG_IGN)
        for signal in Signal.allCases { install(signal) }
    }
}

private func arrived(on pipe: Int32) -> [Signal] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(pipe, &bytes, bytes.count)
    return bytes.prefix(max(0, count)).compactMap { Signal(rawValue: Int32($0)) }
}

private func install(_ signal: Signal) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
        // Only what signal-safety(7) allows: write(2), with errno put back.
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        write(pipeEnd, &byte, 1)
        errno = saved
    }
    action.sa_flags = SA_RESTART
    sigaction(signal.rawValue, &action, nil)
}
