import Glibc

/// A test episode whose sound identifies itself (`ToneCode`), made once into a folder that is kept between runs.
public struct ToneEpisode: Sendable {
    public let number: Int
    /// Seconds, a multiple of `ToneCode.slot`.
    public let duration: Double
    /// The mp3 file (a WAV file where ffmpeg is missing).
    public let path: String

    public var type: String { path.hasSuffix(".wav") ? "audio/wav" : "audio/mpeg" }

    /// Made if it is not there yet: about a second per 10 minutes of sound. Safe to call from several processes.
    public init(number: Int, seconds: Double, in folder: String = ToneEpisode.folder) throws(DemoError) {
        self.number = number
        duration = seconds
        let name = "\(folder)/tone-\(number)-\(Int(seconds * 10))"
        try makeFolder(folder)
        path = name + (ChildProcess.find("ffmpeg") == nil ? ".wav" : ".mp3")
        if access(path, R_OK) == 0 { return }
        let wav = "\(name).\(getpid()).\(UInt32.random(in: 0 ... .max)).wav"
        let samples = ToneCode.samples(episode: number, seconds: seconds, rate: ToneEpisode.rate)
        try writeBytes(wavFile(samples, rate: ToneEpisode.rate), to: wav)
        defer { unlink(wav) }
        try encode(wav: wav, to: path)
    }

    /// `~/.cache/ipx-car-demo/tones`, or under `XDG_CACHE_HOME`.
    public static var folder: String { demoCacheFolder + "/tones" }

    private static let rate = 22_050
}

/// Where made-up sound is kept between runs.
public var demoCacheFolder: String {
    let environment = ChildProcess.environment
    if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/ipx-car-demo" }
    if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.cache/ipx-car-demo" }
    return "/tmp/ipx-car-demo-\(getuid())"
}

/// The folder and those above it, when missing.
func makeFolder(_ path: String) throws(DemoError) {
    var built = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
        built += "/\(part)"
        if mkdir(built, 0o755) != 0, errno != EEXIST { throw DemoError("\(built): \(String(cString: strerror(errno)))") }
    }
}

/// To constant-rate mp3 by ffmpeg, promoted by a rename; without ffmpeg the WAV itself, when `path` asks for one.
func encode(wav: String, to path: String) throws(DemoError) {
    if path.hasSuffix(".wav") {
        rename(wav, path)
        return
    }
    let part = wav + ".mp3"
    _ = try ChildProcess.run([
        "ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-i", wav, "-codec:a", "libmp3lame", "-b:a", "64k", part,
    ])
    guard rename(part, path) == 0 else { throw DemoError("\(path): \(String(cString: strerror(errno)))") }
}

/// A RIFF/WAVE file, 16-bit mono.
func wavFile(_ samples: [Int16], rate: Int) -> [UInt8] {
    func four(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    func two(_ value: Int) -> [UInt8] { Array(four(value)[0..<2]) }
    let bytes = samples.count * 2
    var file = Array("RIFF".utf8) + four(36 + bytes) + Array("WAVEfmt ".utf8) + four(16) + two(1) + two(1) + four(rate)
    file += four(rate * 2) + two(2) + two(16) + Array("data".utf8) + four(bytes)
    samples.withUnsafeBytes { file += $0 }
    return file
}
