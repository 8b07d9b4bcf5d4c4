import PulseAudio

/// Which sink is whose. The car is found by its Bluetooth address: in the name (PulseAudio `bluez_sink.…`, PipeWire
/// `bluez_output.…`) or in the properties, and only if it carries music: a head unit's call channel is no place for an episode.
enum SinkChoice {
    /// The sink to which a stream can be moved without being heard; on a sound server of our own it is the default.
    static let silence = "ipxcar_silence"

    static func sink(of car: BluetoothAddress, in sinks: some Sequence<Sink>) -> Sink? {
        // The newest: an old one of the same car may linger for a moment.
        sinks.filter { address(of: $0) == car && carriesMusic($0) }.max { $0.index < $1.index }
    }

    static func address(of sink: Sink) -> BluetoothAddress? {
        for prefix in ["bluez_sink.", "bluez_output."] where sink.name.hasPrefix(prefix) {
            if let address = BluetoothAddress(sink.name.dropFirst(prefix.count).prefix(17)) { return address }
        }
        if let address = sink.properties["api.bluez5.address"] { return BluetoothAddress(address) }
        let properties = sink.properties
        let isBluetooth = properties["device.bus"] == "bluetooth" || properties["device.api"]?.hasPrefix("bluez") == true
        return isBluetooth ? properties["device.string"].flatMap { BluetoothAddress($0) } : nil
    }

    /// `bluetooth.protocol` is PulseAudio's word for the profile, `api.bluez5.profile` PipeWire's.
    static func carriesMusic(_ sink: Sink) -> Bool {
        let profile = sink.properties["bluetooth.protocol"] ?? sink.properties["api.bluez5.profile"] ?? sink.name
        let words = profile.lowercased()
        return !["head_unit", "head-unit", "headset", "handsfree", "audio_gateway", "hsp", "hfp"].contains {
            words.contains($0)
        }
    }
}
