import DemoKit
import EventLoop
import Glibc

@main
struct Main {
    static func main() async {
        // A reader that went away ends us with a failed write, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "server" { exit(serverCommand(Array(arguments.dropFirst()))) }
        if arguments.first == "tones" { exit(tonesCommand(Array(arguments.dropFirst()))) }
        do {
            let options = try DemoOptions(arguments)
            if options.wantsHelp { say(DemoOptions.usage) } else { exit(try await Demo(options: options).run()) }
        } catch let error as UsageError {
            complain("ipx-car-demo: \(error.text)\n\(DemoOptions.usage)")
            exit(2)
        } catch {
            complain("ipx-car-demo: \(error)")
            exit(1)
        }
    }
}

func say(_ line: String) {
    let text = line + "\n"
    _ = write(STDOUT_FILENO, text, text.utf8.count)
}

func complain(_ line: String) {
    let text = line + "\n"
    _ = write(STDERR_FILENO, text, text.utf8.count)
}
