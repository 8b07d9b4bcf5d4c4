import AudioRouting
import EventLoop
import Library
import Linux
import Storage

extension LoadedConfiguration {
    /// What was not obeyed, one line each; the service runs all the same.
    func report(to log: Log) {
        for complaint in complaints { log.error("configuration", ["flaw": complaint.description]) }
    }
}

extension AudioRouting.Settings {
    /// Volumes per car live in the store.
    @Core
    static func remembered(in store: Store, _ values: Configuration, _ log: Log) -> AudioRouting.Settings {
        AudioRouting.Settings(
            server: values.audio.server, fallback: values.audio.fallback,
            startVolume: { values.carSettings(for: $0).volume },
            rememberedVolume: { (try? store.volume(ofCar: $0)) ?? nil },
            onVolume: { car, volume in
                do throws(Failure) { try store.setVolume(volume, ofCar: car) } catch {
                    log.error("the car's volume is not stored", ["cause": error])
                }
            },
            now: { Double(Clocks.monotonic()) / 1e9 })
    }
}
