import EventLoop
import Foundation
import MPV
import Synchronization
import Testing

/// A real player with streams by URL, and all it told.
@Core
final class PlayerStage {
    let player: MPVPlayer
    private(set) var events: [MPVEvent] = []

    static let quiet = [("config", "no"), ("vo", "null"), ("vid", "no"), ("idle", "yes"), ("load-scripts", "no")]

    init(
        _ options: [(String, String)] = [("ao", "null")], streams: [String: any StreamReader] = [:],
        ended: @escaping @Sendable () -> Void = {}
    ) async throws {
        let setup = MPVSetup(
            options: Self.quiet + options, scheme: "test", open: { streams[$0] }, ended: ended)
        player = try await Self.open(setup)
        player.onEvent = { [weak self] in self?.events.append($0) }
    }

    nonisolated static func open(_ setup: MPVSetup) async throws -> MPVPlayer {
        try await withCheckedContinuation { done in MPVPlayer.open(setup) { done.resume(returning: $0) } }.get()
    }

    func command(_ arguments: String...) async -> Result<MPVValue, MPVError> {
        await withCheckedContinuation { done in
            do throws(MPVError) { try player.command(arguments) { done.resume(returning: $0) } } catch {
                done.resume(returning: .failure(error))
            }
        }
    }

    func get(_ name: String) async -> Result<MPVValue, MPVError> {
        await withCheckedContinuation { done in
            do throws(MPVError) { try player.get(name) { done.resume(returning: $0) } } catch {
                done.resume(returning: .failure(error))
            }
        }
    }

    func wait(_ what: String, _ condition: (PlayerStage) -> Bool) async throws {
        try await waited(what) { condition(self) }
    }
}

/// Looks every few milliseconds, for ten seconds.
@Core
func waited(_ what: String, _ condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        guard ContinuousClock.now < deadline else { throw Waited(what: what) }
        try await Task.sleep(for: .milliseconds(3))
    }
}

struct Waited: Error { var what: String }

/// Set from any thread.
final class Flag: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
}
