import Glibc
import Synchronization

/// A child that never outlives us: killed with this object, and by the kernel when this process dies.
///
/// Started with `posix_spawn`, a cleared signal mask and default signal actions: a child started from a dispatch thread would
/// otherwise inherit a blocked SIGTERM. Own process group, so that Ctrl-C at the terminal reaches only us. `waitpid` on the pid
/// is done here and nowhere else.
public final class ChildProcess: Sendable {
    public enum Output: Sendable {
        case discard
        case inherit
        /// Appended to this file.
        case file(String)
    }

    /// How it ended: the exit code, or the signal that killed it.
    public enum End: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
    }

    public let pid: pid_t
    private let end = Mutex<End?>(nil)

    /// `environment`: nil inherits ours. The program is looked up in `PATH`.
    public init(
        _ arguments: [String], environment: [String: String]? = nil, output: Output = .discard, errors: Output = .discard
    ) throws(DemoError) {
        guard let program = ChildProcess.find(arguments[0]) else { throw DemoError("\(arguments[0]) is not installed") }
        let command = ChildProcess.tied([program] + arguments.dropFirst())
        let variables = (environment ?? ChildProcess.environment).map { "\($0.key)=\($0.value)" }
        // The kernel's signal comes when the *thread* that started the child ends, so one thread that never ends starts all.
        let result = Spawner.shared.run {
            spawn(command, environment: variables, output: output, errors: errors)
        }
        switch result {
        case .success(let pid): self.pid = pid
        case .failure(let error): throw error
        }
    }

    deinit { kill() }

    public var isRunning: Bool { poll(WNOHANG) == nil }

    public func signal(_ number: Int32) {
        end.withLock { if $0 == nil { _ = Glibc.kill(pid, number) } }
    }

    /// SIGKILL, and waits until it is gone.
    public func kill() {
        signal(SIGKILL)
        _ = wait()
    }

    /// Blocks until it ended.
    // swift-format-ignore: NeverForceUnwrap
    @discardableResult
    public func wait() -> End { poll(0)! }

    /// SIGTERM, then SIGKILL after `grace` seconds.
    @discardableResult
    public func terminate(grace: Double = 5) -> End {
        signal(SIGTERM)
        let deadline = MonotonicClock.now + grace
        while isRunning, MonotonicClock.now < deadline { usleep(2_000) }
        if isRunning { signal(SIGKILL) }
        return wait()
    }

    private func poll(_ options: Int32) -> End? {
        end.withLock { end in
            if let end { return end }
            var status: Int32 = 0
            var got: pid_t
            repeat { got = waitpid(pid, &status, options) } while got < 0 && errno == EINTR
            if got == 0 { return nil }
            end = status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)
            return end
        }
    }

    /// Our own environment.
    public static var environment: [String: String] {
        var all: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { all[String(pair[0])] = String(pair[1]) }
            entry += 1
        }
        return all
    }

    /// Where `program` is in `PATH`; nil when it is not installed.
    public static func find(_ program: String) -> String? {
        if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
        return (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(program)" }
            .first { access($0, X_OK) == 0 }
    }

    /// `setpriv` of util-linux sets PR_SET_PDEATHSIG and then becomes the program: same pid.
    private static func tied(_ arguments: [String]) -> [String] {
        find("setpriv").map { [$0, "--pdeathsig", "KILL"] + arguments } ?? arguments
    }
}

extension ChildProcess {
    /// Runs a program to its end; its standard output.
    public static func run(_ arguments: [String], environment: [String: String]? = nil) throws(DemoError) -> String {
        let folder = try TemporaryFolder("run")
        defer { folder.remove() }
        let out = folder.path + "/out"
        let err = folder.path + "/err"
        let child = try ChildProcess(arguments, environment: environment, output: .file(out), errors: .file(err))
        let end = child.wait()
        guard end == .exited(0) else {
            throw DemoError("\(arguments.joined(separator: " ")): \(end) \(readText(err) ?? "")")
        }
        return readText(out) ?? ""
    }
}

private func spawn(
    _ arguments: [String], environment: [String], output: ChildProcess.Output, errors: ChildProcess.Output
) -> Result<pid_t, DemoError> {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    redirect(output, to: 1, &actions)
    redirect(errors, to: 2, &actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer {
        for text in argv + envp { free(text) }
    }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, arguments[0], &actions, &attributes, &argv, &envp)
    return code == 0 ? .success(pid) : .failure(DemoError("\(arguments[0]): \(String(cString: strerror(code)))"))
}

private func redirect(_ output: ChildProcess.Output, to number: Int32, _ actions: inout posix_spawn_file_actions_t) {
    switch output {
    case .discard: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
    case .inherit: posix_spawn_file_actions_adddup2(&actions, number, number)
    case .file(let path): posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    }
}
