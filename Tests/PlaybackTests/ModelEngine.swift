import Library
import Playback

/// An engine that knows what it truly plays. It does what it is told, after a while; now and then bytes are missing, a seek
/// gets lost, an answer stays out.
struct ModelEngine {
    /// What it is going to report, and when; what it says of the place is found out then.
    enum Plan { case open, reach, stall, sayStalled, flow, fail(Failure), answer(Seconds, Instant), word(EngineEvent) }

    struct Item {
        var at: Instant
        var generation: Generation
        var plan: Plan
    }

    /// The load it is at.
    struct Work {
        let load: Load
        let duration: Seconds
        let toldDuration: Seconds?
        var place: Seconds
        var since: Instant
        var rate: Double
        var isPaused: Bool
        var hasReached = false
        var isStalled = false
        var hasEnded = false
        var target: Seconds?
        /// A seek got lost then, and nobody knows yet.
        var lostAt: Instant?
        var isLost: Bool { lostAt != nil }
        /// Where the listening began that no seek interrupted.
        var stretch: Seconds

        var isRunning: Bool { hasReached && !isPaused && !isStalled && !hasEnded }

        func place(at now: Instant) -> Seconds {
            isRunning ? min(place + max(0, now.seconds(since: since)) * rate, duration) : place
        }

        mutating func settle(at now: Instant) {
            place = place(at: now)
            since = now
        }
    }

    var work: Work?
    var plans: [Item] = []
    let durations: [EpisodeID: (true: Seconds, told: Seconds?)]

    /// When the sound comes to the end of the file.
    var end: Instant? {
        guard let work, work.isRunning, work.target == nil else { return nil }
        return work.since.advanced(by: (work.duration - work.place) / work.rate)
    }

    mutating func plan(_ plan: Plan, in seconds: Seconds, at now: Instant) {
        guard let generation = work?.load.generation else { return }
        let item = Item(at: now.advanced(by: seconds), generation: generation, plan: plan)
        let index = plans.firstIndex { $0.at > item.at } ?? plans.count
        plans.insert(item, at: index)
    }

    // MARK: What it is told

    mutating func load(_ load: Load, at now: Instant, _ dice: inout Dice) {
        forget(&dice)
        let (length, told) = durations[load.episode.id] ?? (3600, nil)
        work = Work(
            load: load, duration: length, toldDuration: told, place: load.start, since: now, rate: load.rate,
            isPaused: load.isPaused, stretch: load.start)
        if dice.chance(4) {
            plan(.fail(dice.one(of: [.media, .notFound, .offline, .unauthorized, .device, .internal])), in: 1, at: now)
        } else {
            plan(.open, in: dice.chance(5) ? dice.seconds(1...40) : dice.seconds(0.01...1), at: now)
        }
    }

    mutating func unload(_ dice: inout Dice) {
        forget(&dice)
        work = nil
    }

    /// Mostly it says nothing any more of what it has left; some word may be under way.
    private mutating func forget(_ dice: inout Dice) {
        plans = plans.compactMap { item in
            guard dice.chance(20) else { return nil }
            var late = item
            late.plan = .word(
                dice.one(of: [.ended, .reached(3), .flowing(9), .stalled(1), .failed(.media), .opened(duration: 7)]))
            return late
        }
    }

    mutating func setPaused(_ paused: Bool, at now: Instant) {
        work?.settle(at: now)
        work?.isPaused = paused
    }

    mutating func setRate(_ rate: Double, at now: Instant) {
        work?.settle(at: now)
        work?.rate = rate
    }

    mutating func seek(to target: Seconds, at now: Instant, _ dice: inout Dice) {
        work?.settle(at: now)
        plans.removeAll { if case .reach = $0.plan { true } else { false } }
        work?.target = nil
        if dice.chance(3) {
            work?.lostAt = now
        } else {
            work?.target = target
            plan(.reach, in: dice.chance(5) ? dice.seconds(1...8) : dice.seconds(0.01...0.4), at: now)
        }
    }

    mutating func askPosition(at now: Instant, _ dice: inout Dice) {
        guard let work, work.hasReached, work.isLost || dice.chance(95) else { return }
        plan(.answer(work.place(at: now), now), in: dice.seconds(0...0.2), at: now)
    }

    // MARK: What happens

    /// The event that goes out now; nil if there is nothing to say any more.
    mutating func happen(_ item: Item, at now: Instant, _ dice: inout Dice) -> EngineEvent? {
        if case .word(let event) = item.plan { return event }
        guard let current = work, current.load.generation == item.generation, !current.hasEnded else { return nil }
        work?.settle(at: now)
        switch item.plan {
        case .open: return open(at: now, &dice)
        case .reach: return reach(at: now)
        case .stall: return stall(at: now, &dice)
        case .sayStalled: return current.isStalled ? .stalled(current.place) : nil
        case .flow:
            work?.isStalled = false
            return .flowing(current.place)
        case .fail(let failure): return .failed(failure)
        case .answer(let place, let at):
            if current.target == nil, let lost = current.lostAt, at >= lost { work?.lostAt = nil }
            return .position(place, at: at)
        case .word: return nil
        }
    }

    mutating func comesToEnd(at now: Instant) -> EngineEvent {
        work?.settle(at: now)
        work?.hasEnded = true
        return .ended
    }

    private mutating func open(at now: Instant, _ dice: inout Dice) -> EngineEvent {
        if let work, work.load.start >= work.duration {
            plan(.word(.ended), in: 0.01, at: now)
        } else {
            let start = work?.load.start
            work?.target = start
            plan(.reach, in: dice.seconds(0.01...0.5), at: now)
        }
        return .opened(duration: work?.toldDuration)
    }

    private mutating func reach(at now: Instant) -> EngineEvent? {
        guard var current = work, let target = current.target else { return nil }
        current.target = nil
        if target >= current.duration {
            current.hasEnded = true
            work = current
            return .ended
        }
        current.place = target
        current.since = now
        current.stretch = target
        current.hasReached = true
        current.lostAt = nil
        work = current
        return .reached(target)
    }

    /// The word of it takes a moment; the bytes come after a while, or never.
    private mutating func stall(at now: Instant, _ dice: inout Dice) -> EngineEvent? {
        guard let current = work, !current.isStalled, current.hasReached, current.target == nil else { return nil }
        work?.isStalled = true
        plan(.sayStalled, in: dice.seconds(0...0.25), at: now)
        if dice.chance(60) {
            plan(.flow, in: dice.seconds(0.3...30), at: now)
        } else {
            plan(.fail(dice.one(of: [.offline, .unauthorized])), in: dice.seconds(1...60), at: now)
        }
        return nil
    }
}
