import Glibc

/// Whom files belong to.
public enum Ownership {
    /// geteuid(2) is 0.
    public static var isRoot: Bool { geteuid() == 0 }

    /// Gives `path` the user and group that `model` belongs to (chown(2)).
    public static func copy(to path: String, from model: String) throws(Errno) {
        var status = stat()
        try check { stat(model, &status) }
        try check { chown(path, status.st_uid, status.st_gid) }
    }
}
