import DemoKit
import Dispatch
import EventLoop
import Glibc
import Linux

/// The dash in the terminal, the keyboard as the wheel.
@Core
final class KeyboardDrive {
    private let stage: DemoStage
    private let ending: Ending
    private let deadline: Double?
    private var note: (text: String, until: Double)?
    private var drawn: [String] = []
    private var failure: (any Error)?

    init(_ stage: DemoStage, seconds: Double?, _ ending: Ending) {
        self.stage = stage
        self.ending = ending
        deadline = seconds.map { MonotonicClock.now + $0 }
    }

    func run() async throws -> Int32 {
        let screen = try Screen()
        defer { screen.restore() }
        let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: Core.queue)
        keys.setEventHandler { [weak self] in
            Core.assumeOnCore { self?.read() }
        }
        keys.activate()
        defer { keys.cancel() }
        var looks = 0
        while !ending.isAsked, deadline.map({ MonotonicClock.now < $0 }) ?? true {
            stage.meter.look()
            draw()
            looks += 1
            if looks % 50 == 0 { stage.keepPositions() }
            try? await Task.sleep(nanoseconds: 100_000_000)
        }
        if let failure { throw failure }
        return 0
    }

    private func draw() {
        if let until = note?.until, until < MonotonicClock.now { note = nil }
        let text = note?.text ?? (stage.isServiceRunning ? nil : "the service has ended (k starts it), see \(stage.logPath)")
        let lines = stage.picture(note: text).lines(width: Terminal.columns ?? 80)
        guard lines != drawn else { return }
        drawn = lines
        // Home, each line cleared to its end, then all below.
        let text2 = "\u{1b}[H" + lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J"
        _ = write(STDOUT_FILENO, text2, text2.utf8.count)
    }

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        // The terminal is gone.
        if count <= 0 {
            ending.isAsked = true
            return
        }
        for byte in bytes.prefix(count) { key(Character(UnicodeScalar(byte))) }
    }

    private func key(_ key: Character) {
        switch key {
        case " ": perform(.press(stage.car.display.status == "Playing" ? .pause : .play))
        case "n": perform(.press(.next))
        case "p": perform(.press(.previous))
        // A terminal tells no release: a held key repeats, and the service adds the steps up.
        case "f": perform(.skip(10))
        case "r": perform(.skip(-10))
        case "c": perform(stage.car.isConnected ? .carLeaves : .carReturns)
        case "x": perform(stage.isNetworkOn ? .networkGoes : .networkReturns)
        case "k": perform(.kill)
        case "+", "=": turnKnob(5)
        case "-": turnKnob(-5)
        case "q", "\u{3}", "\u{4}": ending.isAsked = true
        default: break
        }
    }

    private func turnKnob(_ step: Int) {
        guard let volume = stage.service?.volume else { return }
        perform(.knob(min(100, max(0, volume + step))))
    }

    private func perform(_ step: DriveScript.Step) {
        note = ("  \(step)", MonotonicClock.now + 2)
        do { try stage.perform(step) } catch {
            failure = error
            ending.isAsked = true
        }
    }
}
