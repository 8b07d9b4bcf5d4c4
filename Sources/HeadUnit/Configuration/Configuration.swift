import Library
import Linux
import Playback

/// `/etc/ipx-car/ipx-car.conf` as values: everything checked, every key with its default (ipx-car.conf(5)).
public struct Configuration: Hashable, Sendable {
    public var server = ServerSettings()
    /// `[player]`; what `[car]` adds to it depends on the car, see `playerSettings(for:)`.
    public var player = PlayerSettings()
    public var keep = KeepSettings()
    /// `[car]`: for every car that has no section of its own.
    public var car = CarSettings()
    /// `[car "AA:BB:CC:DD:EE:FF"]`, complete: what the section leaves out is as in `[car]`.
    public var cars: [String: CarSettings] = [:]
    public var buttons = ButtonSettings()
    public var audio = AudioSettings()
    public var remote = RemoteSettings()
    public var speech = SpeechSettings()
    public var log = LogSettings()

    public init() {}

    /// The settings for the car of this address; nil: none, or one unknown.
    public func carSettings(for address: String?) -> CarSettings {
        address.flatMap { cars[$0.uppercased()] } ?? car
    }

    /// What the player goes by while this car is connected.
    public func playerSettings(for address: String?) -> PlayerSettings {
        let car = carSettings(for: address)
        var settings = player
        settings.next = car.next
        settings.toggleKey = car.toggleKey
        settings.holdFirstPlay = car.holdFirstPlay
        return settings
    }
}

/// `[server]`
public struct ServerSettings: Hashable, Sendable {
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// Oldest first within the feed of the current episode, then the others by date (product.md).
        case feed
        case oldest, newest
    }

    /// The page and its sign-in. Nil: not set yet.
    public var address: ServerAddress?
    /// Where the token is sent; nil: to `address`.
    public var apiAddress: ServerAddress?
    public var tokenFile: String?
    /// PEM of a private authority, instead of the system's.
    public var caFile: String?
    /// As libcurl takes it (CURLOPT_PROXY); may hold a password.
    public var proxy: Secret?
    /// `Name: value` lines, sent to the server address only.
    public var headersFile: String?
    public var order = Order.feed
}

/// `[keep]`
public struct KeepSettings: Hashable, Sendable {
    public var isEnabled = true
    /// The next unread ones, 0…1000.
    public var episodes = 10
    /// Bytes of the whole cache.
    public var space: Int64 = 4 << 30
    /// Bytes left free on its disk.
    public var reserve: Int64 = 200 << 20
    /// Fetch ahead over a metered network too.
    public var usesMetered = false
}

/// `[car]` and `[car "AA:BB:CC:DD:EE:FF"]`
public struct CarSettings: Hashable, Sendable {
    /// What a held Fast-forward or Rewind does.
    public enum Hold: String, Hashable, Sendable, CaseIterable { case scan, episode, chapter, none, pair }
    /// What the dash can show.
    public enum Text: String, Hashable, Sendable, CaseIterable { case utf8, ascii }
    /// Which of title, show and date stand where on the dash.
    public enum Layout: String, Hashable, Sendable, CaseIterable { case episode, show, chapter }

    /// 0…100, for a car that was never set louder or lower.
    public var volume = 40
    public var toggleKey = PlayerSettings.ToggleKey.off
    /// Seconds.
    public var holdFirstPlay: Seconds = 5
    public var next = PlayerSettings.NextMeans.skip
    public var hold = Hold.scan
    public var text = Text.utf8
    public var layout = Layout.episode
}

/// `[audio]`
public struct AudioSettings: Hashable, Sendable {
    /// As PulseAudio takes it (`PULSE_SERVER`); nil: PulseAudio's own choice.
    public var server: String?
    /// The sink to play to without a car; nil: none, nothing is heard.
    public var fallback: String?
    /// Milliseconds of sound the server holds, 20…5000.
    public var buffer = 500
}

/// `[remote]`
public struct RemoteSettings: Hashable, Sendable {
    public var isEnabled = true
    public var listen = ListenAddress.standard
    /// What phones see; nil: the host's name.
    public var name: String?
    /// Tell the network by DNS-SD.
    public var isAnnounced = true
}

/// `[speech]`
public struct SpeechSettings: Hashable, Sendable {
    public var isEnabled = true
    /// A voice of espeak-ng.
    public var language = "en"
}

/// `[log]`
public struct LogSettings: Hashable, Sendable {
    public var level = Log.Level.info
}
