import DemoKit
import EventLoop
import Glibc
import Linux

/// Sets the stage, drives, and takes everything down again however it ends.
@Core
struct Demo {
    let options: DemoOptions

    /// Returns the exit code.
    func run() async throws -> Int32 {
        let program = try options.program()
        let library = try DemoLibrary.spoken { say($0) }
        let folder = try DemoFolder(options.data)
        let machine = options.isSilent ? nil : DemoStage.machineSound
        let stage = try await DemoStage(library, program: program, folder: folder, machine: machine)
        let ending = Ending()
        let signals = try Signals { _ in ending.isAsked = true }
        defer {
            stage.end()
            withExtendedLifetime(signals) {}
        }
        try stage.start()
        guard Terminal.isInput, Terminal.isOutput, options.script == nil else {
            let drive = ScriptedDrive(stage, options.script ?? .tour, seconds: options.seconds, ending)
            return try await drive.run()
        }
        let drive = KeyboardDrive(stage, seconds: options.seconds, ending)
        return try await drive.run()
    }
}

/// Ctrl-C, a signal, or q.
@Core
final class Ending {
    var isAsked = false
}
