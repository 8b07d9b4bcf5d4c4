import DemoKit
import Glibc

struct UsageError: Error {
    var text: String
}

/// The command line of the demo itself; `server` has its own.
struct DemoOptions {
    var script: DriveScript?
    var seconds: Double?
    var data: String?
    var service: String?
    var isSilent = false
    var wantsHelp = false

    static let usage = """
        usage: ipx-car-demo [--script STEPS] [--seconds N] [--data DIR] [--service PATH] [--silent]
               ipx-car-demo server …
               ipx-car-demo tones FOLDER

        A drive without a car, a phone, an ipx server or Bluetooth: the real service plays made-up episodes.
        In a terminal the dash is drawn and the keyboard is the wheel.
          --script STEPS  drive by a list instead, e.g. "play;10s;next;5s;car-off;2s;car-on;net-off;kill;5s"
          --seconds N     end after this time
          --data DIR      where the service's state and cache are kept between runs
          --service PATH  the service's binary; the one beside this program otherwise
          --silent        do not play through the machine's own sound server
        With a script (or without a terminal) it prints what happens and, at the end, what was heard; exit 1 when nothing was.
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--help", "-h", "help": wantsHelp = true
            case "--silent": isSilent = true
            case "--script":
                do { script = try DriveScript(try DemoOptions.value(of: name, &rest)) } catch let error as DemoError {
                    throw UsageError(text: "\(error)")
                }
            case "--seconds":
                guard let number = Double(try DemoOptions.value(of: name, &rest)), number > 0 else {
                    throw UsageError(text: "--seconds needs a number")
                }
                seconds = number
            case "--data": data = try DemoOptions.value(of: name, &rest)
            case "--service": service = try DemoOptions.value(of: name, &rest)
            default: throw UsageError(text: "what is \(name)?")
            }
        }
    }

    private static func value(of name: String, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else { throw UsageError(text: "\(name) needs a value") }
        return value
    }

    /// The service's binary; throws when there is none.
    func program() throws -> String {
        let path = service ?? DemoOptions.besideUs("ipx-car")
        guard access(path, X_OK) == 0 else { throw DemoError("no service at \(path): build it, or say --service PATH") }
        return path
    }

    private static func besideUs(_ name: String) -> String {
        var path = [UInt8](repeating: 0, count: 4096)
        let count = path.withUnsafeMutableBytes {
            // swift-format-ignore: NeverForceUnwrap
            readlink("/proc/self/exe", $0.bindMemory(to: CChar.self).baseAddress!, 4096)
        }
        let own = String(decoding: path.prefix(max(0, count)), as: UTF8.self)
        return own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/" + name
    }
}
