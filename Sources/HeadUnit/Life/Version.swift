/// What this program is called and which one it is.
public enum Version {
    public static let number = "0.1.0"
    static let userAgent = "ipx-car/\(number)"
}
