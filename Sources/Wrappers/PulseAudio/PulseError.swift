import CPulse

/// An error of libpulse, by its code in pulse/def.h (`PA_ERR_…`).
public struct PulseError: Error, Hashable, Sendable, CustomStringConvertible {
    public var code: Int32

    public init(code: Int32) { self.code = code }

    public static let connectionTerminated = PulseError(code: Int32(PA_ERR_CONNECTIONTERMINATED.rawValue))
    public static let connectionRefused = PulseError(code: Int32(PA_ERR_CONNECTIONREFUSED.rawValue))
    public static let noSuchEntity = PulseError(code: Int32(PA_ERR_NOENTITY.rawValue))
    public static let badState = PulseError(code: Int32(PA_ERR_BADSTATE.rawValue))

    public var description: String { pa_strerror(code).map { String(cString: $0) } ?? "PulseAudio error \(code)" }
}
