import Glibc

extension DemoLibrary {
    /// Three shows of made-up spoken episodes, minutes long, with chapters and artwork; made into `folder` on first use, some
    /// tens of seconds, and found there afterwards. `progress` gets a line for a person now and then.
    public static func spoken(
        in folder: String = demoCacheFolder + "/shows-1", progress: (String) -> Void = { _ in }
    ) throws(DemoError) -> DemoLibrary {
        var shows: [DemoShow] = []
        let total = SpokenShow.all.reduce(0) { $0 + $1.episodes.count }
        for show in SpokenShow.all {
            var made: [DemoEpisode] = []
            for number in show.episodes.indices {
                let done = shows.reduce(made.count) { $0 + $1.episodes.count }
                progress("speaking episode \(done + 1) of \(total): \(show.title), \(show.episodes[number].title)")
                let spoken = try SpokenEpisode(show, number, in: folder)
                made.append(demoEpisode(spoken, show, number))
            }
            shows.append(
                DemoShow(
                    id: show.id, title: show.title, color: show.color, artwork: artwork(of: show, in: folder), episodes: made
                ))
        }
        return DemoLibrary(shows: shows)
    }

    private static func demoEpisode(_ spoken: SpokenEpisode, _ show: SpokenShow, _ number: Int) -> DemoEpisode {
        let type = spoken.path.hasSuffix(".wav") ? "audio/wav" : "audio/mpeg"
        let ending = spoken.path.suffix(3)
        return DemoEpisode(
            guid: "\(show.id)-\(number + 1)", title: show.episodes[number].title,
            // A week apart; the shows take turns.
            published: 1_750_000_000 + Double(number) * 604_800 + Double(SpokenShow.all.firstIndex { $0.id == show.id } ?? 0)
                * 86_400,
            duration: spoken.duration, chapters: spoken.chapters,
            enclosures: [
                DemoEnclosure(name: "\(show.id)/\(number + 1).\(ending)", type: type, content: .file(spoken.path))
            ])
    }
}

/// A picture of our own, 512 × 512: the show's colour, a horizon and a few boxes. Nil where ffmpeg is missing.
func artwork(of show: SpokenShow, in folder: String) -> [UInt8]? {
    let path = "\(folder)/\(show.id).png"
    if let made = readBytes(path), made.count > 100 { return made }
    guard ChildProcess.find("ffmpeg") != nil else { return nil }
    let color = [show.color.red, show.color.green, show.color.blue]
    let hex = color.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let boxes = [
        "drawbox=x=0:y=360:w=512:h=152:color=black@0.35:t=fill",
        "drawbox=x=216:y=120:w=80:h=260:color=white@0.85:t=fill",
        "drawbox=x=216:y=180:w=80:h=40:color=0x\(hex):t=fill",
        "drawbox=x=216:y=260:w=80:h=40:color=0x\(hex):t=fill",
        "drawbox=x=200:y=80:w=112:h=40:color=0xffd45e:t=fill",
    ]
    let part = "\(path).\(getpid()).png"
    let drawn = try? ChildProcess.run([
        "ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-f", "lavfi", "-i", "color=c=0x\(hex):s=512x512",
        "-vf", boxes.joined(separator: ","), "-frames:v", "1", part,
    ])
    guard drawn != nil, rename(part, path) == 0 else { return nil }
    return readBytes(path)
}
