import Glibc

/// The end of this process (_exit(2)).
public enum Ending {
    /// At once: no exit handler runs and no thread is waited for. For a service whose work is on the disk already, while
    /// libraries' threads may still wait for a network or a sound server.
    public static func now(_ code: Int32) -> Never { _exit(code) }
}
