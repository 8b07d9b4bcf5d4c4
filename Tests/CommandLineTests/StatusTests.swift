import DemoKit
import EventLoop
import Linux
import RemoteProtocol
import Testing

@Suite("Status", .timeLimit(.minutes(1)))
struct StatusTests {
    @Test("one line a person reads; what is unknown is said to be unknown")
    func line() async throws {
        let service = try await StandInService()
        let shell = try CommandLine(bus: service.bus.address)
        #expect(
            try await shell.run(["status"]).output == """
                paused (by the driver): On air (The show), 12:34 of 1:02:03; car Kombi connected; volume 40; online; \
                3 in the queue

                """)
        await service.forget()
        #expect(
            try await shell.run(["status"]).output == """
                paused (by the driver): On air (The show), unknown place of unknown length; car unknown; volume unknown; \
                network unknown; 3 in the queue

                """)
    }

    @Test("a title that would steer the terminal or turn the line around is harmless text on one line")
    func hostileTitle() async throws {
        let service = try await StandInService()
        await service.call("\u{1B}]0;pwn\u{7}On\nair\u{202E}")
        let output = try await CommandLine(bus: service.bus.address).run(["status"]).output
        #expect(output.hasPrefix("paused (by the driver):  ]0;pwn On air (The show), 12:34 of 1:02:03;"))
    }

    @Test("--json is the state object as the service wrote it, on one line")
    func json() async throws {
        let service = try await StandInService()
        let shell = try CommandLine(bus: service.bus.address)
        let run = try await shell.run(["status", "--json"])
        #expect(run.lines.count == 1)
        #expect(try RemoteJSON.value(RemoteState.self, from: run.output) == RemoteState.drive)
    }

    @Test("--follow shows every change until the service goes, then ends with exit 3")
    func follow() async throws {
        let service = try await StandInService()
        let shell = try CommandLine(bus: service.bus.address)
        let output = shell.folder.path + "/followed"
        let child = try ChildProcess(
            [CommandLine.program, "status", "--follow", "--json"], environment: shell.environment, output: .file(output))
        func states() throws -> [RemoteState] {
            let text = SmallFile.exists(output) ? try shell.text(output) : ""
            return try text.split(separator: "\n").map { try RemoteJSON.value(RemoteState.self, from: String($0)) }
        }
        try await until("the first state") { try states().count == 1 }
        for volume in [41, 42] { try await service.change(volume: volume) }
        try await until("both changes") { try states().count == 3 }
        #expect(try states().map(\.volume) == [40, 41, 42])
        await service.stop()
        try await until("the end") { !child.isRunning }
        #expect(child.wait() == .exited(3))
    }
}

extension StandInService {
    func forget() {
        state.position = nil
        state.episode?.duration = nil
        (state.volume, state.network, state.car) = (nil, nil, RemoteCar())
    }

    func change(volume: Int) throws {
        state.volume = volume
        try announce()
    }
}
