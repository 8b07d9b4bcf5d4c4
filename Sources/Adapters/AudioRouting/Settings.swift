import EventLoop
import PulseAudio

extension AudioRouting {
    /// What is configured, remembered and asked from outside.
    public struct Settings {
        /// `[audio] server=`; nil: what `PULSE_SERVER` says.
        public var server: String?
        /// `[audio] fallback=`: the sink to play to without a car; nil: none.
        public var fallback: String?
        /// `[car] volume=` for this car: where one without a memory starts, 0…100.
        public var startVolume: @Core (_ car: String) -> Int
        /// The last volume with this car; nil for a new one.
        public var rememberedVolume: @Core (_ car: String) -> Int?
        /// The volume with this car is another one now and is to be remembered.
        public var onVolume: @Core (_ car: String, Int) -> Void
        /// Seconds of a monotonic clock.
        public var now: @Core () -> Double
        /// Whose streams are guarded.
        public var process = PulseContext.ownProcess
        /// A server that has not answered for this long, in seconds, is taken for gone.
        public var patience = 5.0

        public init(
            server: String? = nil, fallback: String? = nil, startVolume: @escaping @Core (String) -> Int = { _ in 40 },
            rememberedVolume: @escaping @Core (String) -> Int?, onVolume: @escaping @Core (String, Int) -> Void,
            now: @escaping @Core () -> Double
        ) {
            self.server = server
            self.fallback = fallback
            self.startVolume = startVolume
            self.rememberedVolume = rememberedVolume
            self.onVolume = onVolume
            self.now = now
        }
    }
}
