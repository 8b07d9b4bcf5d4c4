import Glibc

/// One spoken episode on disk: the mp3 and where its chapters begin.
struct SpokenEpisode: Sendable {
    var path: String
    /// Seconds.
    var duration: Double
    var chapters: [(start: Double, title: String)]

    /// Reads what an earlier run made, or makes it: a few seconds of work for minutes of sound.
    init(_ show: SpokenShow, _ number: Int, in folder: String) throws(DemoError) {
        let name = "\(folder)/\(show.id)-\(number + 1)"
        path = name + (ChildProcess.find("ffmpeg") == nil ? ".wav" : ".mp3")
        if let made = readText(name + ".chapters"), access(path, R_OK) == 0, let parsed = SpokenEpisode.parse(made) {
            (duration, chapters) = parsed
            return
        }
        try makeFolder(folder)
        let work = try TemporaryFolder("speech")
        defer { work.remove() }
        var samples: [Int16] = []
        chapters = []
        for chapter in show.chapters.indices {
            chapters.append((Double(samples.count) / Double(SpokenEpisode.rate), show.chapters[chapter].title))
            samples += jingle(show.jingle)
            samples += try speech(show, chapter: chapter, episode: number, in: work)
        }
        duration = Double(samples.count) / Double(SpokenEpisode.rate)
        // The chapter list is written last and read first: both there means both whole.
        let wav = "\(name).\(getpid()).wav"
        try writeBytes(wavFile(samples, rate: SpokenEpisode.rate), to: wav)
        defer { unlink(wav) }
        try encode(wav: wav, to: path)
        try writeBytes(Array(listing.utf8), to: name + ".chapters")
    }

    /// espeak-ng's own rate.
    static let rate = 22_050

    private var listing: String {
        "\(duration)\n" + chapters.map { "\($0.start) \($0.title)\n" }.joined()
    }

    private static func parse(_ text: String) -> (Double, [(start: Double, title: String)])? {
        let lines = text.split(separator: "\n")
        guard let duration = lines.first.flatMap({ Double($0) }) else { return nil }
        let chapters = lines.dropFirst().compactMap { line -> (start: Double, title: String)? in
            let parts = line.split(separator: " ", maxSplits: 1)
            return parts.count == 2 ? Double(parts[0]).map { ($0, String(parts[1])) } : nil
        }
        return chapters.count == lines.count - 1 ? (duration, chapters) : nil
    }
}

/// Spoken by espeak-ng, or tones of about the same length where it is missing.
private func speech(
    _ show: SpokenShow, chapter: Int, episode: Int, in work: TemporaryFolder
) throws(DemoError) -> [Int16] {
    let words = show.text(of: chapter, in: episode)
    guard ChildProcess.find("espeak-ng") != nil else {
        let seconds = Double(words.split(separator: " ").count) * 60 / Double(show.speed)
        return ToneCode.samples(episode: episode % ToneCode.episodes, seconds: seconds, rate: SpokenEpisode.rate)
    }
    let text = work.path + "/text"
    let wav = work.path + "/speech.wav"
    try writeBytes(Array(words.utf8), to: text)
    _ = try ChildProcess.run([
        "espeak-ng", "-v", show.voice, "-p", "\(show.pitch)", "-s", "\(show.speed)", "-g", "4", "-w", wav, "-f", text,
    ])
    guard let samples = readBytes(wav).flatMap(samples(ofWave:)) else { throw DemoError("espeak-ng wrote no sound") }
    return samples
}

/// Three soft notes and a breath of silence.
private func jingle(_ notes: [Double]) -> [Int16] {
    let rate = Double(SpokenEpisode.rate)
    let sound = notes.flatMap { note in
        (0..<Int(0.22 * rate)).map { index in
            let time = Double(index) / rate
            return Int16(7_000 * sin(2 * .pi * note * time) * exp(-9 * time))
        }
    }
    return sound + [Int16](repeating: 0, count: Int(0.5 * rate))
}

/// The samples of a 16-bit mono RIFF/WAVE file; nil when it is none.
func samples(ofWave file: [UInt8]) -> [Int16]? {
    guard file.count > 44, file.starts(with: Array("RIFF".utf8)) else { return nil }
    var place = 12
    while place + 8 <= file.count {
        let size = (0..<4).reduce(0) { $0 | Int(file[place + 4 + $1]) << (8 * $1) }
        if file[place..<place + 4].elementsEqual("data".utf8) {
            // A writer to a pipe leaves the size open: then it is what is there.
            let end = min(file.count, place + 8 + size)
            let count = (end - place - 8) / 2
            return [Int16](unsafeUninitializedCapacity: count) { samples, used in
                file[(place + 8)...].withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(samples).copyMemory(from: .init(rebasing: $0[..<(count * 2)]))
                }
                used = count
            }
        }
        place += 8 + size
    }
    return nil
}
