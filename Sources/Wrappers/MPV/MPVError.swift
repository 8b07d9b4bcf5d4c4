/// An error of libmpv (client.h, `mpv_error`); `code` is negative.
public struct MPVError: Error, Hashable, Sendable, CustomStringConvertible {
    public var code: Int32
    public var description: String

    public init(code: Int32, description: String) {
        self.code = code
        self.description = description
    }

    /// libmpv itself is not there, or is another one than this program knows.
    static func missing(_ cause: String) -> MPVError { MPVError(code: 0, description: cause) }

    /// MPV_ERROR_COMMAND: said here of a request that mpv did not even take.
    public static let refused = MPVError(code: -12, description: "refused on the spot")

    /// MPV_ERROR_OPTION_NOT_FOUND: this version of mpv has no such option.
    public static let optionNotFound: Int32 = -5
    /// MPV_ERROR_PROPERTY_UNAVAILABLE: nothing is loaded, or not far enough.
    public static let propertyUnavailable: Int32 = -10
    /// MPV_ERROR_AO_INIT_FAILED: no sound output.
    public static let outputFailed: Int32 = -14
}
