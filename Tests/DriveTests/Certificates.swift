import DemoKit
import Glibc
import Testing

/// openssl's own test server, which answers a path with the file of that name, under a certificate made for the purpose.
final class SecureServer {
    let folder: TemporaryFolder
    let port: UInt16
    private var process: ChildProcess?

    var origin: String { "https://localhost:\(port)" }
    var authority: String { folder.path + "/ca.pem" }

    /// `answers`: the body for each request target.
    init(_ answers: [String: String]) throws {
        folder = try TemporaryFolder("tls")
        port = try DemoServer(library: DemoLibrary()).port
        for (target, body) in answers {
            let file = folder.path + target
            _ = try ChildProcess.run(["mkdir", "-p", String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])])
            try write(
                "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)",
                to: file)
        }
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "ca.key", "-out",
            "ca.pem",
            "-subj", "/CN=Test authority", "-days", "30")
        try openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "leaf.key", "-out",
            "leaf.csr",
            "-subj", "/CN=localhost")
        try write("basicConstraints=CA:FALSE\nsubjectAltName=DNS:localhost\n", to: folder.path + "/leaf.ext")
        try write(
            """
            [ca]
            default_ca = c
            [c]
            database = index.txt
            serial = serial
            new_certs_dir = .
            default_md = sha256
            unique_subject = no
            policy = p
            [p]
            commonName = supplied
            """, to: folder.path + "/ca.conf")
        try write("", to: folder.path + "/index.txt")
        try write("01", to: folder.path + "/serial")
    }

    deinit {
        process?.kill()
        folder.remove()
    }

    /// Serves under a certificate of these dates, `YYYYMMDDHHMMSSZ`; anew when it serves already.
    func serve(from: String, to: String) throws {
        process?.kill()
        try openssl(
            "ca", "-batch", "-config", "ca.conf", "-in", "leaf.csr", "-out", "leaf.pem", "-cert", "ca.pem", "-keyfile",
            "ca.key",
            "-extfile", "leaf.ext", "-notext", "-startdate", from, "-enddate", to)
        process = try shell(
            "exec openssl s_server -accept 127.0.0.1:\(port) -key leaf.key -cert leaf.pem -HTTP -quiet >/dev/null 2>&1")
    }

    private func openssl(_ arguments: String...) throws {
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        try #require(try shell("exec openssl \(words)").wait() == .exited(0), "openssl \(arguments[0])")
    }

    private func shell(_ text: String) throws -> ChildProcess {
        try ChildProcess(["sh", "-c", "cd \(folder.path) && \(text)"])
    }

    private func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(file) }
        try #require(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
    }
}
