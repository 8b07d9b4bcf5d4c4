/// The car's dash as text: what the car was told, and under it how car, network and service are. A pure function of its content.
public struct DashPicture: Hashable, Sendable {
    public var carName: String
    public var isConnected: Bool
    /// What the car's own display has.
    public var display: CarDisplay
    /// Nil while the service is not there.
    public var service: ServiceState?
    public var isNetworkOn: Bool
    /// RMS at the car's loudspeaker, 0…1.
    public var level: Double
    /// The last thing that was done, for a moment.
    public var note: String?

    public init(
        carName: String, isConnected: Bool, display: CarDisplay, service: ServiceState?, isNetworkOn: Bool, level: Double,
        note: String? = nil
    ) {
        self.carName = carName
        self.isConnected = isConnected
        self.display = display
        self.service = service
        self.isNetworkOn = isNetworkOn
        self.level = level
        self.note = note
    }

    /// The lines for a terminal of `width` columns, none longer than that. Every character counts as one column.
    public func lines(width: Int) -> [String] {
        let inner = max(20, min(72, width) - 4)
        let rule = String(repeating: "─", count: inner + 2)
        var lines = ["╭\(rule)╮"]
        for text in panel(inner) { lines.append("│ \(fitted(text, inner)) │") }
        lines.append("╰\(rule)╯")
        lines.append(note ?? "")
        lines += keys(inner)
        return lines.map { cut($0, max(1, width)) }
    }

    private func panel(_ width: Int) -> [String] {
        let head = spread(carName, isConnected ? status : "no car", width)
        guard isConnected else { return [head, "", "the car is away", "", "", "", surroundings(width)] }
        guard display.hasPlayer else { return [head, "", "the car sees no player", "", "", "", surroundings(width)] }
        let chapter = service?.chapter(at: display.position)
        return [
            head, "", display.title.isEmpty ? "—" : display.title, display.artist,
            chapter ?? display.album, progress(width), surroundings(width),
        ]
    }

    private var status: String {
        let word = (display.status ?? "—").lowercased()
        return "\(word == "playing" ? "▶" : "‖") \(word)  \(meter)"
    }

    /// Eight steps of 6 dB up to full scale.
    private var meter: String {
        let bars = Array("▁▂▃▄▅▆▇█")
        guard level > Recording.audible else { return "♪ ·" }
        return "♪ " + String(bars[bars.indices.last { level >= 1 / Double(1 << (8 - $0)) } ?? 0])
    }

    private func progress(_ width: Int) -> String {
        let elapsed = clock(display.position)
        let total = display.length.map(clock) ?? "--:--"
        let room = max(4, width - elapsed.count - total.count - 2)
        guard let length = display.length, length > 0 else {
            return "\(elapsed) \(String(repeating: "─", count: room)) \(total)"
        }
        let place = min(room - 1, max(0, Int(display.position / length * Double(room))))
        let bar = String(repeating: "━", count: place) + "●" + String(repeating: "─", count: room - 1 - place)
        return "\(elapsed) \(bar) \(total)"
    }

    private func surroundings(_ width: Int) -> String {
        var parts = [isNetworkOn ? "network on" : "network off"]
        // What a driver should know first: a narrow terminal cuts the end.
        if let service {
            if let message = service.message { parts.append(message) }
            if isConnected, !service.hasSink { parts.append("no audio") }
            if service.phase != "playing" { parts.append(service.reason.map { "\(service.phase): \($0)" } ?? service.phase) }
            if let volume = service.volume { parts.append(service.isMuted ? "muted" : "volume \(volume)") }
            parts.append("\(service.queued) queued")
        } else {
            parts.append("service not running")
        }
        return parts.joined(separator: " · ")
    }

    private func keys(_ width: Int) -> [String] {
        let words = [
            "space play/pause", "n next", "p previous", "f/r forward/back", "+/- knob",
            isConnected ? "c car leaves" : "c car returns", isNetworkOn ? "x network off" : "x network on", "k kill -9",
            "q quit",
        ]
        return words.reduce(into: [""]) { lines, word in
            let longer = lines[lines.count - 1].isEmpty ? "  " + word : lines[lines.count - 1] + "   " + word
            if longer.count <= width + 2 || lines[lines.count - 1].isEmpty {
                lines[lines.count - 1] = longer
            } else {
                lines.append("  " + word)
            }
        }
    }
}

/// `0:42`, `1:02:03`.
public func clock(_ seconds: Double) -> String {
    let whole = Int(max(0, seconds.isFinite ? seconds : 0))
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    let minutes = whole / 60 % 60
    return whole < 3600 ? "\(minutes):\(two(whole % 60))" : "\(whole / 3600):\(two(minutes)):\(two(whole % 60))"
}

private func spread(_ left: String, _ right: String, _ width: Int) -> String {
    let gap = width - left.count - right.count
    return gap > 0 ? left + String(repeating: " ", count: gap) + right : cut(left + " " + right, width)
}

private func fitted(_ text: String, _ width: Int) -> String {
    let short = cut(text, width)
    return short + String(repeating: " ", count: width - short.count)
}

/// At most `width` characters, without any that would move the cursor.
private func cut(_ text: String, _ width: Int) -> String {
    let clean = text.filter { $0.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 } }
    return clean.count <= width ? clean : clean.prefix(max(0, width - 1)) + "…"
}
