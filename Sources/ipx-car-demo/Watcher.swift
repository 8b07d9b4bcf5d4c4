import DemoKit
import EventLoop

/// Notices what changed between two looks at a drive.
@Core
struct Watcher {
    private var dash = ""
    private var service = ""
    private var isSounding = false
    private var saved: [String: Double] = [:]

    mutating func news(_ stage: DemoStage) -> [String] {
        [dashNews(stage), serviceNews(stage), soundNews(stage)].compactMap { $0 } + positionNews(stage)
    }

    private mutating func dashNews(_ stage: DemoStage) -> String? {
        let display = stage.car.display
        let now =
            !stage.car.isConnected || !display.hasPlayer
            ? "dark" : "\(display.status ?? "—"): \(display.title) (\(display.artist))"
        guard now != dash else { return nil }
        dash = now
        let length = display.length.map { " of \(clock($0))" } ?? ""
        return "dash: \(now)" + (now == "dark" || display.title.isEmpty ? "" : " at \(clock(display.position))\(length)")
    }

    private mutating func serviceNews(_ stage: DemoStage) -> String? {
        let state = stage.isServiceRunning ? stage.service : nil
        let now = state.map { state in
            [state.phase + (state.reason.map { " (\($0))" } ?? ""), state.network, state.message].compactMap { $0 }
                .joined(separator: ", ")
        }
        guard let now, now != service else { return nil }
        service = now
        return "service: \(now)"
    }

    private mutating func soundNews(_ stage: DemoStage) -> String? {
        let now = stage.meter.isSounding
        guard now != isSounding else { return nil }
        isSounding = now
        return now ? "sound in the car" : "silence in the car"
    }

    private mutating func positionNews(_ stage: DemoStage) -> [String] {
        let now = stage.positions
        defer { saved = now }
        return now.filter { saved[$0.key] != $0.value && !saved.isEmpty || saved[$0.key] == nil && $0.value > 0 }
            .map { "server: \($0.key) at \(clock($0.value))" }.sorted()
    }
}
