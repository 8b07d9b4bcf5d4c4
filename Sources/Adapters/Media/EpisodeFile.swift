import Library
import Linux

/// One episode's bytes as far as they are there, between the fetcher that fills them in and the readers that wait for them.
/// Used from any thread.
final class EpisodeFile: Sendable {
    struct State: Sendable {
        /// Nil: it can't be opened or was taken away.
        var file: RandomAccessFile?
        /// Counts how often the bytes were thrown away and begun anew.
        var edition = 0
        var present = ByteRanges()
        /// As announced by the server, or certain by a clean end.
        var total: Int64?
        /// Of the bytes that are there; nil: no answer yet.
        var validator: Validator?
        /// False once the server turned out not to know ranges.
        var allowsRange = true
        /// Why nothing more comes, for now.
        var failure: Failure?
        /// The byte a reader waits for, or last asked for.
        var demand: Int64 = 0
        /// The next byte the running request brings, and where it ends.
        var arriving: Arriving?

        var isWhole: Bool { total.map { present.isWhole($0) } ?? false }
    }

    struct Arriving: Hashable, Sendable {
        /// Number of the request.
        var attempt: Int
        var next: Int64
        /// Nil: to the end of the file.
        var end: Int64?
    }

    let monitor: Monitor<State>
    /// Told when a reader waits for a byte it did not wait for before.
    private let demanded: @Sendable () -> Void

    init(_ state: State, demanded: @escaping @Sendable () -> Void = {}) {
        monitor = Monitor(state)
        self.demanded = demanded
    }

    /// A file that is whole already.
    static func kept(_ file: RandomAccessFile, size: Int64) -> EpisodeFile {
        EpisodeFile(State(file: file, present: ByteRanges([0..<size]), total: size))
    }

    /// One that only ever fails.
    static func unusable(_ failure: Failure) -> EpisodeFile { EpisodeFile(State(file: nil, failure: failure)) }

    var state: State { monitor.look { $0 } }

    /// Called by a reader, with the lock held by `Monitor.wait`, before it sleeps.
    static func note(_ offset: Int64, in state: inout State) -> Bool {
        guard state.demand != offset else { return false }
        state.demand = offset
        return true
    }

    func tellOfDemand() { demanded() }

    // MARK: for the fetcher

    /// The first answer's word on the file, or a later one that adds to it.
    func announced(total: Int64?, validator: Validator, allowsRange: Bool?) {
        monitor.change { state in
            state.total = total ?? state.total
            state.validator = state.validator?.completed(by: validator) ?? validator
            if let allowsRange { state.allowsRange = allowsRange }
        }
    }

    /// Bytes that have been written by this request; nothing if the part was begun anew meanwhile.
    func wrote(_ range: Range<Int64>, edition: Int, attempt: Int) {
        monitor.change { state in
            guard state.edition == edition else { return }
            state.present.insert(range)
            state.failure = nil
            if state.arriving?.attempt == attempt { state.arriving?.next = range.upperBound }
        }
    }

    func requested(_ arriving: Arriving?) { monitor.change { $0.arriving = arriving } }

    /// The body ended cleanly here, so this is the size.
    func ended(at total: Int64, edition: Int) {
        monitor.change { state in
            guard state.edition == edition else { return }
            state.total = total
        }
    }

    func failed(_ failure: Failure) { monitor.change { $0.failure = failure } }

    /// Everything so far is of no use any more.
    func startOver(_ file: RandomAccessFile) {
        monitor.change { state in
            state = State(
                file: file, edition: state.edition + 1, allowsRange: state.allowsRange, demand: state.demand)
        }
    }
}
