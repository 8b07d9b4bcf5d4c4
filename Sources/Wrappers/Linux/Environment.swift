import Glibc

public enum Environment {
    /// getenv(3); an empty value counts as none.
    public static func value(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// One of systemd's `…_DIRECTORY` lists: the first path of it.
    public static func folder(_ name: String) -> String? {
        value(name).flatMap { $0.split(separator: ":").first }.map(String.init)
    }
}
