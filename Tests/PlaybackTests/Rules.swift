import Library
import Playback

/// What holds after every step of any drive, whatever happens.
struct Rules {
    private let verdict = Verdict()
    var problem: String? { verdict.problem }
    var stored: [EpisodeID: Seconds] = [:]
    var sinkIsFallback = false
    private var lastShown = NowPlaying(phase: .idle, at: Instant(nanoseconds: 0))
    private var former = NowPlaying(phase: .idle, at: Instant(nanoseconds: 0))
    private var formerQueue: [EpisodeID] = []
    private var formerCurrent: EpisodeID?
    private var formerKept: Seconds = 0
    private var isSeekWish = false
    /// Places that the stored one may be besides the one heard: before a rewind, and wished ones still under way.
    private var unrewound: Seconds = 0
    /// The places it was left at by seeks since the load.
    private var marks: [Seconds] = []
    private var wish: (place: Seconds, at: Instant)?
    private var generation = Generation(0)
    private var playingSince: Instant?
    private var lastStore = Instant(nanoseconds: 0)
    private var rhythm: [Instant] = []
    private var wakes = (at: Instant(nanoseconds: 0), count: 0)

    func fail(_ text: String) { verdict.problem = verdict.problem ?? text }

    /// The words are made only when they are needed.
    func require(_ holds: Bool, _ text: @autoclosure () -> String) { if !holds { fail(text()) } }

    // MARK: Before an input

    mutating func before(_ input: Input, _ drive: RandomDrive) {
        former = drive.player.nowPlaying(at: drive.now)
        formerQueue = drive.player.queue.map(\.episode.id)
        formerCurrent = drive.player.current?.episode.id
        formerKept = max(drive.player.current?.position ?? 0, former.position ?? 0)
        isSeekWish = input.isSeekWish
        let isDue = drive.wakeAt.map { $0 <= drive.now } ?? (input == .event(.timePassed))
        if !isDue {
            require(
                lastShown.looks(like: former), "what is told changed with time and nobody was told: \(Brief.words(former))")
        }
        if former.phase == .playing, let playingSince {
            let age = drive.now.seconds(since: max(lastStore, playingSince))
            require(age <= 10.000_001, "the stored place is \(age) s old")
        }
        if input == .event(.timePassed) { countWake(drive.now) }
    }

    private mutating func countWake(_ now: Instant) {
        wakes = wakes.at == now ? (now, wakes.count + 1) : (now, 1)
        require(wakes.count < 6, "woken again and again at one moment")
    }

    // MARK: Each effect, when it is run

    mutating func count(_ effects: [Effect]) {
        require(effects.loads.count <= 1, "two loads at once")
        require(effects.shows.count <= 1, "shown twice for one thing")
        require(effects.told.count <= 1, "told twice for one thing")
        require(effects.seeks.count <= 1, "two seeks at once")
        require(effects.filter { if case .wake = $0 { true } else { false } }.count <= 1, "two wakes")
    }

    mutating func check(_ effect: Effect, _ drive: RandomDrive) {
        let work = drive.engine.work
        switch effect {
        case .load(let load): check(load, drive)
        case .unload: require(work != nil, "unloads nothing")
        case .setPaused(let paused, let generation):
            require(work?.load.generation == generation, "pauses another load")
            require(work?.isPaused != paused, "pauses what is paused, or the reverse")
        case .seek(let to, let generation):
            require(work?.load.generation == generation && work?.hasReached == true, "seeks in what is not there")
            require(to >= 0 && to <= max(0, (work?.toldDuration ?? .infinity) - 1), "seeks out of the episode: \(to)")
            marks.append(formerKept)
            if !isSeekWish { unrewound = formerKept }
        case .askPosition(let generation): require(work?.load.generation == generation, "asks another load")
        case .store(let heard): check(heard, drive)
        case .markRead(let id): checkMark(id, drive)
        case .setRate(let rate): require((0.5...3).contains(rate) && work != nil, "sets a rate of \(rate)")
        case .wake(let at): require(at.map { $0 >= drive.now } ?? true, "wakes in the past")
        case .tell, .show, .currentChanged: break
        }
    }

    private mutating func check(_ load: Load, _ drive: RandomDrive) {
        require(drive.hasSink, "loads without an output")
        require(load.generation > generation, "a load's number does not rise")
        require(load.start >= 0 && load.start.isFinite, "starts at \(load.start)")
        require(load.episode.id == drive.player.current?.episode.id, "loads what is not current")
        generation = load.generation
        unrewound = drive.player.current?.position ?? 0
        marks = [unrewound]
        wish = nil
    }

    /// The episode in the engine, and a place that was heard there, or wished, or was the place before the rewind.
    private mutating func check(_ heard: Heard, _ drive: RandomDrive) {
        guard let work = drive.engine.work else { return fail("stores \(heard) with nothing in the engine") }
        require(
            work.load.episode.id == heard.episode, "stores \(heard.episode.guid) while \(work.load.episode.id.guid) plays")
        require(work.hasReached || work.hasEnded, "stores \(heard) before its start was reached")
        require(heard.at == drive.now, "a wrong moment")
        lastStore = drive.now
        if heard.reason == .interval { checkRhythm(drive.now) }
        if heard.isFinished { return require(work.hasEnded && heard.position == 0, "finished without an end") }
        let truth = work.place(at: drive.now)
        let isWished = wish.map { abs($0.place - heard.position) < 10 } ?? false
        let isBeforeRewind = heard.position == min(unrewound, (work.toldDuration ?? .infinity) - 1) && truth <= unrewound + 1
        let isLeft = heard.reason == .episodeChange && (marks + [truth - 2]).contains { abs($0 - heard.position) < 4 }
        require(
            isLeft || abs(truth - heard.position) <= 1 || isWished || isBeforeRewind || work.isLost || work.target != nil,
            "stores \(heard.position) while \(truth) is heard (before the rewind \(unrewound), wished \(String(describing: wish)))"
        )
    }

    private mutating func checkRhythm(_ now: Instant) {
        rhythm = rhythm.filter { now.seconds(since: $0) < 60 } + [now]
        require(rhythm.count <= 12, "more than 12 writes a minute")
    }

    private mutating func checkMark(_ id: EpisodeID, _ drive: RandomDrive) {
        guard let work = drive.engine.work, work.load.episode.id == id else { return fail("marks what does not play") }
        let place = work.place(at: drive.now)
        if work.hasEnded { return }
        require(place - work.stretch >= 9, "marks after \(place - work.stretch) s of listening")
        let duration = work.toldDuration ?? work.load.episode.duration ?? 0
        require(place >= duration * 0.9 + 8, "marks at \(place) of \(duration)")
    }

    // MARK: After an input

    mutating func after(_ input: Input, _ effects: [Effect], _ drive: RandomDrive) {
        let shown = drive.player.nowPlaying(at: drive.now)
        checkShown(shown, effects, drive)
        checkPhase(shown, drive)
        checkPlace(shown, drive)
        checkQueue(input, drive)
        noteWish(input, shown, drive)
        playingSince = shown.phase == .playing ? (former.phase == .playing ? playingSince ?? drive.now : drive.now) : nil
        if effects.loads.isEmpty == false { playingSince = nil }
    }

    private mutating func checkShown(_ shown: NowPlaying, _ effects: [Effect], _ drive: RandomDrive) {
        let isShown = !effects.shows.isEmpty
        require(
            isShown || lastShown.looks(like: shown),
            "changed and not shown: \(Brief.words(lastShown)) → \(Brief.words(shown))")
        require(effects.shows != [false] || !lastShown.looks(like: shown), "shown without a change")
        if !isShown, shown.phase != .loading, let was = lastShown.position(at: drive.now), let place = shown.position {
            require(abs(was - place) <= 0.31, "the place moved from \(was) to \(place) unseen")
        }
        if isShown { lastShown = shown }
    }

    /// What is told is what the engine does.
    private mutating func checkPhase(_ shown: NowPlaying, _ drive: RandomDrive) {
        let work = drive.engine.work
        require(shown.episode?.id == drive.player.current?.episode.id, "shows another episode")
        require(work == nil || drive.hasSink, "something is in the engine without an output")
        switch shown.phase {
        case .playing: require(work?.isPaused == false && work?.hasReached == true, "'playing' with a silent engine")
        case .buffering: require(work?.isPaused == false && work?.hasReached == true, "'buffering' without wanting to play")
        case .loading: require(work?.isPaused == false, "'loading' without a load")
        case .paused: require(work?.isPaused ?? true, "'paused' with a running engine")
        case .idle, .error: require(work == nil, "'\(shown.phase)' with a full engine")
        }
        require(!shown.keepsPlaying || shown.phase == .loading, "keeps playing what is not loading")
        require((shown.failure != nil) == (shown.phase == .error), "failure and phase differ")
        require(shown.phase == .paused || shown.reason == nil || shown.reason == .outOfBytes, "a reason without a pause")
    }

    private mutating func checkPlace(_ shown: NowPlaying, _ drive: RandomDrive) {
        require((shown.position == nil) == (shown.phase == .idle), "place and phase differ")
        require(shown.duration.map { $0 > 0 && $0.isFinite } ?? true, "a length of \(String(describing: shown.duration))")
        guard let place = shown.position else { return }
        require(place >= 0 && place <= shown.duration ?? .infinity, "at \(place) of \(String(describing: shown.duration))")
        guard shown.phase == .playing, let work = drive.engine.work, work.target == nil, !work.isLost else { return }
        let truth = work.place(at: drive.now)
        require(abs(truth - place) <= 1, "shows \(place) while \(truth) is heard")
    }

    /// It moves by a true end or a wish, never by itself.
    private mutating func checkQueue(_ input: Input, _ drive: RandomDrive) {
        let queue = drive.player.queue.map(\.episode.id)
        let current = drive.player.current?.episode.id
        require(Set(queue).count == queue.count && !queue.contains { $0 == current }, "an episode is there twice")
        guard case .event(let event) = input else { return }
        switch event {
        case .restored: require(formerCurrent == nil || current == formerCurrent, "restored over what is current")
        case .queueChanged: require(current == formerCurrent, "a changed queue changed the current one")
        case .engine(_, .ended) where current != formerCurrent:
            require(
                queue == formerQueue.filter { $0 != current } && queue.count == formerQueue.count - 1,
                "moved by more than one")
        case .outputAppeared where formerCurrent == nil: break
        default: require(current == formerCurrent && queue == formerQueue, "the queue moved by itself at \(event)")
        }
    }

    private mutating func noteWish(_ input: Input, _ shown: NowPlaying, _ drive: RandomDrive) {
        if case .command = input, let place = shown.position { wish = (place, drive.now) }
        let isPending = drive.engine.work.map { $0.target != nil || $0.isLost || !$0.hasReached } ?? true
        if let wish, !isPending, drive.now.seconds(since: wish.at) > 4 { self.wish = nil }
    }
}

/// The first rule that was broken.
private final class Verdict { var problem: String? }

extension Input {
    /// The driver's own seek; any other is a rewind.
    var isSeekWish: Bool {
        switch self {
        case .command(.seek, _), .command(.skip, _), .command(.next, _), .command(.previous, _),
            .command(.previousEpisode, _):
            true
        default: false
        }
    }
}

extension NowPlaying {
    func looks(like other: NowPlaying) -> Bool {
        var (a, b) = (self, other)
        (a.position, b.position) = (nil, nil)
        b.at = a.at
        return a == b
    }
}
