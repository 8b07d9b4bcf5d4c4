/// What this build calls itself: `ipx-car version`, the user agent, the device name of stored positions.
public enum Release {
    public static let version = "0.1.0"
}
