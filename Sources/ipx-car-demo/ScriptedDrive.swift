import DemoKit
import EventLoop
import Glibc

/// A drive by a list of steps, told as lines.
@Core
final class ScriptedDrive {
    private let stage: DemoStage
    private let script: DriveScript
    private let ending: Ending
    private let started = MonotonicClock.now
    private let deadline: Double?
    private var watcher = Watcher()

    init(_ stage: DemoStage, _ script: DriveScript, seconds: Double?, _ ending: Ending) {
        self.stage = stage
        self.script = script
        self.ending = ending
        deadline = seconds.map { MonotonicClock.now + $0 }
    }

    /// 0 when sound was heard, 1 when not.
    func run() async throws -> Int32 {
        tell(
            stage.machine == nil ? "playing to nobody's ears but the meter's" : "playing through this machine's sound server"
        )
        tell("the key is turned, the car is there")
        if await !wait(20, until: { self.isReady }) { tell("the service is not ready, see \(stage.logPath)") }
        for step in script.steps where !isOver {
            tell("\(step)")
            try stage.perform(step)
            await follow(step)
        }
        if let deadline { await wait(deadline - MonotonicClock.now, until: { false }) }
        stage.meter.look()
        return summary()
    }

    /// A press of Play right after the car connected may be held back by the service; a driver presses again.
    private func follow(_ step: DriveScript.Step) async {
        switch step {
        case .wait(let seconds): await wait(seconds, until: { false })
        case .press(.play):
            for _ in 0..<3 where await !wait(2, until: { self.stage.car.display.status == "Playing" }) && !isOver {
                tell("the wheel: Play, once more")
                stage.car.press(.play)
            }
        default: await wait(0.2, until: { false })
        }
    }

    private var isReady: Bool { stage.car.display.hasPlayer && (stage.service?.queued ?? 0) > 0 }

    private var isOver: Bool { ending.isAsked || deadline.map { MonotonicClock.now >= $0 } ?? false }

    /// Looks about ten times a second and tells what is new; true as soon as `condition` holds.
    @discardableResult
    private func wait(_ seconds: Double, until condition: () -> Bool) async -> Bool {
        let end = MonotonicClock.now + seconds
        while !isOver {
            stage.meter.look()
            for line in watcher.news(stage) { tell(line) }
            if condition() { return true }
            if MonotonicClock.now >= end { return false }
            try? await Task.sleep(nanoseconds: 100_000_000)
        }
        return condition()
    }

    private func summary() -> Int32 {
        say("")
        let loudest = stage.meter.loudestDecibels.map { ", loudest \(Int($0.rounded())) dB of full scale" } ?? ""
        say("sound heard at the car's sink: \(tenths(stage.meter.seconds)) s\(loudest)")
        say("positions at the server:")
        let lines = stage.servedPositions
        for line in lines.isEmpty ? ["none"] : lines { say("  " + line) }
        if stage.meter.seconds > 0 { return 0 }
        complain("ipx-car-demo: no sound was heard; the service's log is \(stage.logPath)")
        return 1
    }

    private func tell(_ line: String) {
        let time = tenths(MonotonicClock.now - started)
        say("\(String(repeating: " ", count: max(0, 6 - time.count)))\(time)  \(line)")
    }

    private func tenths(_ seconds: Double) -> String {
        let whole = Int((seconds * 10).rounded())
        return "\(whole / 10).\(whole % 10)"
    }
}
