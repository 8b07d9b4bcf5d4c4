import Library
import Playback
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Drives that chance writes", .timeLimit(.minutes(5)))
struct RandomDriveTests {
    /// `IPX_CAR_SEEDS=N` runs that many; `IPX_CAR_SEED=S` runs that one.
    static let seeds: [UInt64] = {
        if let one = getenv("IPX_CAR_SEED").flatMap({ UInt64(String(cString: $0)) }) { return [one] }
        let count = getenv("IPX_CAR_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 40
        return Array(1...max(1, count))
    }()

    @Test("ten thousand inputs in any order: every rule holds after each", arguments: seeds)
    func holds(seed: UInt64) {
        var drive = RandomDrive(seed: seed)
        drive.run(10_000)
        guard let problem = drive.problem else { return }
        Issue.record("seed \(seed), input \(drive.inputs): \(problem)\n\(drive.log.joined(separator: "\n"))")
    }
}
