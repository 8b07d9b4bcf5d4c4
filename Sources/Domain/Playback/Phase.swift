import Library

typealias PauseReason = NowPlaying.Reason

/// What the player is at. Only a phase with a `Loaded` has something in the engine.
enum Phase: Hashable, Sendable {
    /// No episode at all.
    case idle
    /// Plays as soon as the start is reached.
    case loading(Loading)
    case playing(Loaded)
    /// Would play, but the decoder waits for bytes.
    case buffering(Loaded)
    case paused(Paused)
    /// This episode can't be played; stays until someone wishes something else.
    case failed(Failed)
}

struct Loading: Hashable, Sendable {
    var loaded: Loaded
    /// Until when the car goes on seeing Playing, for a load between two episodes of a running drive.
    var keepsPlayingUntil: Instant?
}

struct Paused: Hashable, Sendable {
    enum Rest: Hashable, Sendable {
        /// In the engine, perhaps still on its way to the start.
        case loaded(Loaded)
        case unloaded(Place)
    }

    /// Nil: nothing stopped it, it came to its end.
    var reason: PauseReason?
    var rest: Rest
    var since: Instant
    /// The car that listened when it was cut off; nil: any car (or output) may go on.
    var car: String?
    /// The driver moved the place since.
    var isTouched = false
    /// Paused while nobody could listen: then it stays so, whatever the policy (AV-34).
    var isWishedWhileAway = false

    init(_ reason: PauseReason?, _ rest: Rest, since: Instant, car: String? = nil) {
        self.reason = reason
        self.rest = rest
        self.since = since
        self.car = car
    }
}

struct Failed: Hashable, Sendable {
    var failure: Failure
    var place: Place
}

extension Phase {
    /// What is in the engine; setting changes it within the same phase.
    var loaded: Loaded? {
        get {
            switch self {
            case .loading(let loading): loading.loaded
            case .playing(let loaded), .buffering(let loaded): loaded
            case .paused(let paused): paused.loaded
            case .idle, .failed: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .loading(var loading):
                loading.loaded = newValue
                self = .loading(loading)
            case .playing: self = .playing(newValue)
            case .buffering: self = .buffering(newValue)
            case .paused(var paused) where paused.loaded != nil:
                paused.rest = .loaded(newValue)
                self = .paused(paused)
            case .idle, .failed, .paused: break
            }
        }
    }

    /// Plays, or will as soon as it can.
    var wantsSound: Bool {
        switch self {
        case .loading, .playing, .buffering: true
        case .idle, .paused, .failed: false
        }
    }

    /// Came to its true end, or can't be played: the driver's next wish is for another one.
    var isOver: Bool {
        if case .failed = self { return true }
        return place?.isFinished == true
    }

    /// The place, if nothing is in the engine.
    var place: Place? {
        switch self {
        case .paused(let paused): paused.place
        case .failed(let failed): failed.place
        case .idle, .loading, .playing, .buffering: nil
        }
    }
}

extension Paused {
    var loaded: Loaded? { if case .loaded(let loaded) = rest { loaded } else { nil } }
    var place: Place? { if case .unloaded(let place) = rest { place } else { nil } }
}

extension Phase {
    /// Where it is now, as a listener would say.
    func position(at now: Instant) -> Seconds? { loaded?.place(at: now) ?? place?.position }

    /// The place to remember; an episode heard to its end starts anew.
    func storable(at now: Instant) -> Seconds? {
        if let place, place.isFinished { return 0 }
        return loaded?.storable(at: now) ?? place?.position
    }

    /// The file's own duration, if it is known.
    var duration: Seconds? { loaded?.duration ?? place?.duration }
}
