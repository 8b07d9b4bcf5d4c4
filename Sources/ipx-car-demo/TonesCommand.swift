import DemoKit
import Glibc

private let usage = """
    usage: ipx-car-demo tones FOLDER
      makes a library for `ipx-car-demo server --library FOLDER`: one show with episodes of 20, 10 and 1 minutes, whose sound
      tells every half second which of them it is and where (three tones)

    """

/// `ipx-car-demo tones FOLDER`. Returns the exit code.
func tonesCommand(_ arguments: [String]) -> Int32 {
    guard let folder = arguments.first, arguments.count == 1, !folder.hasPrefix("-") else {
        _ = write(STDERR_FILENO, usage, usage.utf8.count)
        return 2
    }
    do {
        for (number, (title, seconds)) in [("One", 1_200.0), ("Two", 600), ("Three", 60)].enumerated() {
            // Made under a name of its own, then called by its title.
            let tones = try ToneEpisode(number: number, seconds: seconds, in: "\(folder)/Rig Radio")
            let ending = tones.path[(tones.path.lastIndex(of: ".") ?? tones.path.endIndex)...]
            guard rename(tones.path, "\(folder)/Rig Radio/\(number + 1) \(title)\(ending)") == 0 else {
                throw DemoError("\(folder): \(String(cString: strerror(errno)))")
            }
        }
        return 0
    } catch {
        complain("ipx-car-demo tones: \(error)")
        return 1
    }
}
