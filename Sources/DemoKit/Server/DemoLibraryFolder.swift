import Glibc

extension DemoLibrary {
    /// One show for every sub-folder of `path` that has audio in it, one episode for every file, in the order of their names.
    /// Titles are the names; durations are left unknown. A missing folder gives an empty library.
    public static func folder(_ path: String) -> DemoLibrary {
        let shows = names(in: path).enumerated().compactMap { index, name -> DemoShow? in
            let files = names(in: "\(path)/\(name)").filter { audioType(of: $0) != nil }
            guard !files.isEmpty else { return nil }
            let id = "f\(index + 1)"
            let episodes = files.enumerated().map { episode($1, number: $0 + 1, feed: id, folder: "\(path)/\(name)") }
            return DemoShow(id: id, title: name, color: color(index), episodes: episodes)
        }
        return DemoLibrary(shows: shows)
    }

    private static func episode(_ file: String, number: Int, feed: String, folder: String) -> DemoEpisode {
        let ending = file.lastIndex(of: ".") ?? file.endIndex
        let enclosure = DemoEnclosure(
            name: "\(feed)/\(number)\(file[ending...])", type: audioType(of: file) ?? "application/octet-stream",
            content: .file("\(folder)/\(file)"))
        return DemoEpisode(
            guid: "\(feed)-\(number)", title: String(file[..<ending]), published: 1_750_000_000 + Double(number) * 86400,
            enclosures: [enclosure])
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    static func audioType(of file: String) -> String? {
        switch file.split(separator: ".").last?.lowercased() {
        case "mp3": "audio/mpeg"
        case "m4a", "m4b", "mp4": "audio/mp4"
        case "opus", "ogg": "audio/ogg"
        case "flac": "audio/flac"
        case "wav": "audio/wav"
        default: nil
        }
    }

    private static func color(_ index: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let colors: [(red: UInt8, green: UInt8, blue: UInt8)] = [
            (40, 90, 160), (160, 60, 50), (50, 130, 70), (140, 100, 30),
        ]
        return colors[index % colors.count]
    }
}
