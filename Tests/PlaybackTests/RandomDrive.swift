import Library
import Playback

/// A drive that chance writes: wishes, losses and failures at any moment, a model engine, and rules that hold after each step.
struct RandomDrive {
    let seed: UInt64
    var dice: Dice
    var player: PlayerState
    var engine: ModelEngine
    var now = Instant(nanoseconds: 50_000_000_000)
    var wakeAt: Instant?
    var hasSink = false
    var rules = Rules()
    var inputs = 0
    /// The last ones, for whoever has to find out.
    var log: [String] = []
    var problem: String?

    init(seed: UInt64) {
        self.seed = seed
        dice = Dice(seed: seed)
        var settings = PlayerSettings()
        settings.resume = dice.one(of: [.ifPlaying, .ifPlaying, .always, .never])
        settings.next = dice.one(of: [.skip, .episode, .chapter])
        settings.toggleKey = dice.one(of: [.off, .off, .play, .pause])
        player = PlayerState(settings: settings)
        var durations: [EpisodeID: (Seconds, Seconds?)] = [:]
        for number in 0..<12 {
            let length = dice.seconds(30...(dice.chance(50) ? 300 : 5000))
            durations[id("\(number)")] = (length, dice.chance(85) ? length : nil)
        }
        engine = ModelEngine(durations: durations)
    }

    mutating func run(_ count: Int) {
        take(.event(.restored(dice.chance(90) ? episode() : nil, wasPlaying: dice.chance(50))))
        while inputs < count, problem == nil {
            pass(until: now.advanced(by: gap()))
            take(input())
        }
        shutDown()
    }

    private mutating func gap() -> Seconds {
        switch dice.number(0..<100) {
        case 0..<50: dice.seconds(0...0.3)
        case 50..<80: dice.seconds(0...5)
        case 80..<98: dice.seconds(0...60)
        default: dice.seconds(0...5000)
        }
    }

    /// Everything that is due until then, in its order.
    private mutating func pass(until end: Instant) {
        while problem == nil {
            let plan = engine.plans.first?.at
            guard let next = [plan, wakeAt, engine.end].compactMap({ $0 }).min(), next <= end else { break }
            now = max(now, next)
            if plan == next { happen() } else if wakeAt == next { wake() } else { endOfFile() }
        }
        now = end
    }

    private mutating func happen() {
        let item = engine.plans.removeFirst()
        guard let event = engine.happen(item, at: now, &dice) else { return }
        take(.event(.engine(item.generation, event)))
    }

    private mutating func wake() {
        wakeAt = nil
        take(.event(.timePassed))
    }

    private mutating func endOfFile() {
        guard let generation = engine.work?.load.generation else { return }
        take(.event(.engine(generation, engine.comesToEnd(at: now))))
    }

    /// After it, nothing whatever it is told.
    private mutating func shutDown() {
        guard problem == nil else { return }
        take(.event(.shutdownRequested))
        if engine.work != nil || wakeAt != nil { problem = "something goes on after the shutdown" }
        for _ in 0..<50 where problem == nil {
            now = now.advanced(by: dice.seconds(0...20))
            let input = input()
            if !player.reduce(input, at: now).isEmpty { problem = "an effect after the shutdown, for \(input)" }
        }
    }

    mutating func take(_ input: Input) {
        guard problem == nil else { return }
        inputs += 1
        log.append("\(now.nanoseconds / 1_000_000) ms  \(Brief.words(input))")
        log.removeFirst(max(0, log.count - 60))
        if case .event(.outputAppeared) = input { hasSink = true }
        if case .event(.outputLost) = input { hasSink = false }
        if case .event(.carLeft) = input { hasSink = hasSink && rules.sinkIsFallback }
        if case .event(.outputAppeared(let car)) = input { rules.sinkIsFallback = car == nil }
        rules.before(input, self)
        let effects = player.reduce(input, at: now)
        log.append(contentsOf: effects.map { "      \(Brief.words($0))" })
        rules.count(effects)
        for effect in effects { execute(effect) }
        rules.after(input, effects, self)
        problem = rules.problem
    }

    private mutating func execute(_ effect: Effect) {
        rules.check(effect, self)
        switch effect {
        case .load(let load): engine.load(load, at: now, &dice)
        case .unload: engine.unload(&dice)
        case .setPaused(let paused, _): engine.setPaused(paused, at: now)
        case .seek(let target, _): engine.seek(to: target, at: now, &dice)
        case .setRate(let rate): engine.setRate(rate, at: now)
        case .askPosition: engine.askPosition(at: now, &dice)
        case .wake(let at): wakeAt = at
        case .store(let heard): rules.stored[heard.episode] = heard.position
        case .markRead, .show, .tell, .currentChanged: break
        }
    }
}

/// Short enough to read forty of them.
enum Brief {
    static func words(_ input: Input) -> String {
        switch input {
        case .command(.select(let queued), let origin): "select \(queued.words) from \(origin)"
        case .command(let command, let origin): "\(command) from \(origin)"
        case .event(.queueChanged(let queue)): "queueChanged \(queue.map(\.words))"
        case .event(.restored(let queued, let wasPlaying)): "restored \(queued?.words ?? "nothing") \(wasPlaying)"
        case .event(.settingsChanged): "settingsChanged"
        case .event(.engine(let generation, let event)): "engine #\(generation.number) \(event)"
        case .event(let event): "\(event)"
        }
    }

    static func words(_ effect: Effect) -> String {
        switch effect {
        case .load(let load): "load #\(load.generation.number) \(load.episode.id.guid) from \(load.start)"
        case .store(let heard): "store \(heard.episode.guid) at \(heard.position), \(heard.reason)"
        default: "\(effect)"
        }
    }

    static func words(_ now: NowPlaying) -> String {
        "\(now.phase) \(now.reason.map { "\($0)" } ?? "-") \(now.episode?.id.guid ?? "-") \(now.position ?? -1) of "
            + "\(now.duration ?? -1) ×\(now.rate) \(now.keepsPlaying) \(now.failure.map { "\($0)" } ?? "-")"
    }
}

extension Queued {
    var words: String { "\(episode.id.guid)@\(position)\(isKept ? " kept" : "")" }
}
