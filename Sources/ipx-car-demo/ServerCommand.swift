import DemoKit
import Glibc

private let usage = """
    usage: ipx-car-demo server [--listen ADDR:PORT] [--library FOLDER] [--faults FILE] [--token-file FILE]
                               [--login-file FILE] [--base-path PATH] [--api]
      --listen      default 127.0.0.1:8080; port 0 takes any free one
      --library     a folder for each show with its audio files
      --faults      JSON list of faults, e.g. [{"path": "/media/*", "cut": 3000000, "after": 2, "times": 1}]; kinds:
                    cut reset noAnswer stall slow delay overtaken ignoreRange refuseRange ignoreIfRange contentRange
                    chunked contentLength contentType gzip status(retryAfter) html text(type) halfJSON emptyList
                    redirect(code) changingValidators noValidators dateOffset date noVersions numbersAsStrings
                    entryFields forgetWrites
      --token-file  the token that is right; without it and a login the server is open
      --login-file  first line the name, second the password
      --api         be the API address: only bearer requests to the contract's paths

    """

/// `ipx-car-demo server …`: the contract's server alone, until it is told to end. Returns the exit code.
func serverCommand(_ args: [String]) -> Int32 {
    do throws(ServerCommandError) {
        let options = try ServerOptions(args)
        let server = try options.makeServer()
        print("listening on \(server.origin)")
        fflush(nil)
        printLog(of: server)
        return 0
    } catch {
        let text = "ipx-car-demo server: \(error.text)\n" + (error.isUsage ? usage : "")
        _ = write(STDERR_FILENO, text, text.utf8.count)
        return error.isUsage ? 2 : 1
    }
}

/// One line for every request as it ends, for ever.
private func printLog(of server: DemoServer) {
    var printed = 0
    while true {
        for line in server.log.all.dropFirst(printed).prefix(while: \.isFinished) {
            printed += 1
            let status = line.status.map(String.init) ?? "no answer"
            let violation = line.violation.map { " VIOLATION: \($0)" } ?? ""
            print("\(line.method) \(line.request.target) \(status) \(line.sent)\(violation)")
            fflush(nil)
        }
        usleep(100_000)
    }
}

private struct ServerCommandError: Error {
    var text: String
    var isUsage = false
}

private struct ServerOptions {
    private var address = "127.0.0.1"
    private var port: UInt16 = 8080
    private var values: [String: String] = [:]
    private var isAPI = false

    init(_ args: [String]) throws(ServerCommandError) {
        var rest = args[...]
        while let name = rest.popFirst() {
            if name == "--api" {
                isAPI = true
                continue
            }
            guard ["--listen", "--library", "--faults", "--token-file", "--login-file", "--base-path"].contains(name),
                let value = rest.popFirst()
            else { throw ServerCommandError(text: "what is \(name)?", isUsage: true) }
            values[name] = value
        }
        guard let listen = values["--listen"] else { return }
        let parts = listen.split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1]) else {
            throw ServerCommandError(text: "\(listen) is no ADDR:PORT", isUsage: true)
        }
        (address, self.port) = (String(parts[0]), port)
    }

    func makeServer() throws(ServerCommandError) -> DemoServer {
        let library = values["--library"].map { DemoLibrary.folder($0) } ?? DemoLibrary()
        let token = try lines(of: "--token-file")?.first
        let login = try lines(of: "--login-file").map { lines throws(ServerCommandError) in
            guard lines.count >= 2 else { throw ServerCommandError(text: "the login file needs two lines") }
            return DemoLogin(user: lines[0], password: lines[1])
        }
        let faults = try values["--faults"].map { path throws(ServerCommandError) in try self.faults(path) }
        do {
            let server = try DemoServer(
                library: library, token: token, login: login, address: address, port: port, isAPIAddress: isAPI,
                basePath: values["--base-path"] ?? "")
            server.faults = faults ?? []
            try server.start()
            return server
        } catch {
            throw ServerCommandError(text: "\(error)")
        }
    }

    private func faults(_ path: String) throws(ServerCommandError) -> [Fault] {
        do { return try Fault.list(json: bytes(of: path)) } catch let error as FaultFileError {
            throw ServerCommandError(text: "\(path): \(error)")
        } catch {
            throw ServerCommandError(text: "\(error)")
        }
    }

    private func lines(of option: String) throws(ServerCommandError) -> [String]? {
        guard let path = values[option] else { return nil }
        return try String(decoding: bytes(of: path), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func bytes(of path: String) throws(ServerCommandError) -> [UInt8] {
        guard let file = fopen(path, "r") else {
            throw ServerCommandError(text: "\(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer.prefix(count) }
        return bytes
    }
}
