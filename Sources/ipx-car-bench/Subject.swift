import DemoKit
import Glibc

/// A player under measurement: how it is started, and by what its start is recognised.
struct Subject {
    let name: String
    let arguments: [String]
    var environment: [String: String]
    /// The bus name that shows its object.
    let busName: String?

    func start() throws(DemoError) -> ChildProcess {
        try ChildProcess(arguments, environment: environment)
    }
}

extension ChildProcess {
    /// Proportional set size in MiB (proc(5), smaps_rollup): what this process adds to the box.
    var pss: Double? {
        guard let text = try? ChildProcess.run(["cat", "/proc/\(pid)/smaps_rollup"]) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        return line?.split(separator: " ").compactMap { Double($0) }.first.map { $0 / 1024 }
    }
}

func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
