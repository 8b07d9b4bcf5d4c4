import DemoKit
import EventLoop
import Linux
import RemoteProtocol
import Testing

@Suite("What the owner hands over", .timeLimit(.minutes(1)))
struct OwnerVerbTests {
    private let secret = "t0ken-of-the-owner"

    @Test("to the running service, over the bus; a bare host gets https://, and the service's sentence is printed")
    func running() async throws {
        let service = try await StandInService()
        let shell = try CommandLine(bus: service.bus.address)
        await service.say("https://ipx.example (here)")
        #expect(try await shell.run(["server", "ipx.example"]).output == "https://ipx.example (here)\n")
        #expect(try await shell.run(["server"]).output == "https://ipx.example (here)\n")
        #expect(try await shell.run(["token", "set", "--address", "api.example"], input: secret + "\n").output == "")
        #expect(try await shell.run(["token", "set"], input: secret).code == 0)
        #expect(try await shell.run(["token", "clear"]).code == 0)
        let handed = await service.requests.compactMap { if case .owner(let command) = $0 { command.action } else { nil } }
        #expect(
            handed == [
                .setServer("https://ipx.example"), .showServer, .setToken(secret, address: "https://api.example"),
                .setToken(secret, address: nil), .clearToken,
            ])
        #expect(!SmallFile.exists(shell.folder.path + "/state"))
    }

    @Test("as root with the service stopped: into the state folder, 0600, and found by the next look")
    func stopped() async throws {
        let shell = try CommandLine(bus: nil)
        let state = shell.folder.path + "/state"
        guard Ownership.isRoot else {
            let run = try await shell.run(["server", "ipx.example"])
            #expect(run.code == 3 && !SmallFile.exists(state))
            return
        }
        #expect(try await shell.run(["server"]).output == "no server is set\n")
        #expect(try await shell.run(["server", "ipx.example"]).output == "https://ipx.example\n")
        #expect(try await shell.run(["server"]).output == "https://ipx.example (\(state)/server)\n")
        #expect(try await shell.run(["token", "set", "--address", "api.example"], input: secret).code == 0)
        #expect(try shell.text(state + "/token") == secret + "\n")
        #expect(try shell.text(state + "/token-address") == "https://api.example\n")
        #expect(try SmallFile.mode(of: state + "/token") == 0o600)
        let config = try await shell.run(["config"])
        #expect(config.output.contains("# token: set, from \(state)/token") && !config.output.contains(secret))
        #expect(try await shell.run(["token", "clear"]).code == 0)
        #expect(!SmallFile.exists(state + "/token") && !SmallFile.exists(state + "/token-address"))
        #expect(try Directory(state).names() == ["server"])
    }

    @Test("an address that would leak the sign-in is refused with the reason, one that is none is a usage error")
    func addresses() async throws {
        let service = try await StandInService()
        let shell = try CommandLine(bus: service.bus.address)
        let plain = try await shell.run(["server", "http://ipx.example"])
        #expect(plain.code == 1 && plain.errors.contains("https://"))
        #expect(try await shell.run(["server", "http://192.168.1.5:8080"]).code == 0)
        #expect(try await shell.run(["server", "ftp://ipx.example"]).code == 2)
        #expect(try await shell.run(["token", "set", "--address", "http://ipx.example"], input: secret).code == 1)
        #expect(
            await service.requests == [
                .owner(.init(id: try await service.lastID, action: .setServer("http://192.168.1.5:8080")))
            ])
    }

    @Test("a token is never taken from the command line, nor an empty or broken one from anywhere")
    func tokens() async throws {
        let service = try await StandInService()
        let shell = try CommandLine(bus: service.bus.address)
        let onCommandLine = try await shell.run(["token", "set", secret])
        #expect(onCommandLine.code == 2 && !onCommandLine.errors.contains(secret))
        #expect(try await shell.run(["token", secret]).code == 2)
        for input in ["", "\n", "  \n", "two\u{7}bells"] {
            #expect(try await shell.run(["token", "set"], input: input).code == 1)
        }
        #expect(await service.commands.isEmpty)
    }
}

extension StandInService {
    func say(_ text: String) { sentence = text }

    var lastID: String {
        get throws { BusRequest.id(in: commands.last ?? "") ?? "" }
    }
}
