import CSystemd

/// The kernel's random numbers (getrandom(2)); good for keys and codes.
public enum RandomBytes {
    public static func make(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let start = done
            // swift-format-ignore: NeverForceUnwrap
            let got = bytes.withUnsafeMutableBytes { getrandom($0.baseAddress! + start, count - start, 0) }
            // Only EINTR can come with these arguments, at boot before the pool is ready.
            if got > 0 { done += got }
        }
        return bytes
    }

    /// `count` random bytes as lower-case hexadecimal.
    public static func hex(_ count: Int) -> String {
        make(count).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
