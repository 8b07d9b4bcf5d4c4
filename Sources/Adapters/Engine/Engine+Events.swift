import EventLoop
import Library
import MPV
import Playback

/// Numbers by which mpv's answers find back to their questions.
enum Request {
    enum Purpose: UInt64 {
        case told = 1
        case reached, stalled, flowing, duration
    }

    static let stall: UInt64 = 1
    static let seek: UInt64 = 2
    static let load: UInt64 = 1 << 32
    private static let place: UInt64 = 1 << 48

    static func place(_ purpose: Purpose, _ attempt: UInt64) -> UInt64 { place * purpose.rawValue + attempt }

    static func purpose(_ request: UInt64) -> (Purpose, attempt: UInt64)? {
        Purpose(rawValue: request / place).map { ($0, request % place) }
    }
}

extension Engine {
    func heard(_ event: MPVEvent) {
        switch event {
        case .reply(let request, let error): replied(request, error)
        case .startFile(let entry): if attempt?.number == accepted { attempt?.entry = entry }
        case .fileLoaded: fileLoaded()
        case .playbackRestart: restarted()
        case .endFile(let entry, let reason): if let mine = attempt?.entry, mine == entry { ended(reason) }
        case .property(let request, _, let value): answered(request, value)
        case .log(let prefix, let level, let text): log("mpv \(level) \(prefix): \(text)")
        case .shutdown: break
        }
    }

    private var isMine: Bool { attempt?.entry != nil }

    private func replied(_ request: UInt64, _ error: MPVError?) {
        if request == Request.seek, let error {
            // PB-26: a seek that failed changes nothing; play goes on where it is.
            log("mpv did not seek: \(error)")
            return askPlace(.reached)
        }
        guard request > Request.load, request < Request.load << 1 else { return }
        accepted = request - Request.load
        guard let error, attempt?.number == accepted else { return }
        log("mpv did not load: \(error)")
        fail(.internal)
    }

    private func fileLoaded() {
        guard isMine else { return }
        attempt?.isOpen = true
        askDuration()
    }

    private func restarted() {
        guard isMine, let target = attempt?.target else { return }
        attempt?.saw(target, at: now)
        askPlace(.reached)
    }

    private func answered(_ request: UInt64, _ value: MPVValue?) {
        if request == Request.stall { return stallChanged(value) }
        guard let (purpose, number) = Request.purpose(request), number == attempt?.number else { return }
        guard case .double(let number)? = value else { return unanswered(purpose) }
        switch purpose {
        case .duration: opened(number > 0 ? number : nil)
        case .told: place(number) { .position($0, at: now) }
        case .reached: place(number) { .reached($0) }
        case .stalled: place(number) { .stalled($0) }
        case .flowing: place(number) { .flowing($0) }
        }
    }

    /// mpv has no answer while the output is just being opened; the place we believe in stands.
    private func unanswered(_ purpose: Request.Purpose) {
        guard let place = attempt?.place(at: now) else { return }
        switch purpose {
        case .duration: opened(nil)
        case .told: break
        case .reached: tell(.reached(place))
        case .stalled: tell(.stalled(place))
        case .flowing: tell(.flowing(place))
        }
    }

    private func opened(_ duration: Seconds?) {
        attempt?.duration = duration
        tell(.opened(duration: duration))
    }

    private func place(_ place: Seconds, _ event: (Seconds) -> EngineEvent) {
        let place = max(0, place)
        attempt?.saw(place, at: now)
        tell(event(place))
    }

    private func stallChanged(_ value: MPVValue?) {
        guard isMine, attempt?.isOpen == true, case .flag(let isStalled)? = value else { return }
        askPlace(isStalled ? .stalled : .flowing)
    }

    private func ended(_ reason: MPVEvent.EndReason) {
        guard let attempt else { return }
        switch reason {
        case .stopped: break
        case .endOfFile where attempt.couldHaveEnded(at: now):
            unload()
            onEvent?(attempt.load.generation, .ended)
        case .failed(let error) where error.code == MPVError.outputFailed: fail(.device)
        case .endOfFile, .failed: broke(attempt)
        }
    }

    /// mpv can't tell a fault of the bytes from the end: the reader can. Else the decoder gave up: once more from there.
    private func broke(_ attempt: Attempt) {
        if let failure = attempt.reader.failure { return fail(failure) }
        guard !attempt.isRetry else { return fail(.media) }
        log("playing broke off, trying once more")
        retry(from: attempt.place(at: now))
    }
}
