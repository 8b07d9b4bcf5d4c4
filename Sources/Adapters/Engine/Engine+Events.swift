import EventLoop
import Library
import MPV
import Playback

extension Engine {
    func heard(_ event: MPVEvent) {
        switch event {
        case .startFile(let entry): if entry == attempt?.entry { started() }
        case .fileLoaded: if isMine { opened() }
        case .playbackRestart: if isMine { restarted() }
        case .property("paused-for-cache", let value): if isMine { dryChanged(value.bool ?? false) }
        case .endFile(let entry, let reason): if entry == attempt?.entry { ended(reason) }
        case .log(let prefix, let level, let text): log("mpv \(level) \(prefix): \(text)")
        case .property, .shutdown: break
        }
    }

    /// What mpv tells without an entry is about the file that started last.
    private var isMine: Bool { attempt?.isStarted == true }

    /// The answer to `loadfile`, which comes before the file starts.
    func accepted(_ result: Result<MPVValue, MPVError>, _ number: Int) {
        guard attempt?.number == number else { return }
        if case .success(let answer) = result, case .int(let entry)? = answer["playlist_entry_id"] {
            attempt?.entry = entry
        } else {
            log("mpv did not load: \(result)")
            fail(.internal)
        }
    }

    /// The former file is gone: from here on pause is about this one.
    private func started() {
        guard let attempt else { return }
        self.attempt?.isStarted = true
        if !attempt.isPaused { setProperty("pause", false) }
    }

    private func opened() {
        attempt?.isOpen = true
        if let target = attempt?.target, attempt?.hasMovedStart == true { sendSeek(to: target) }
        ask("duration") { [weak self] value in
            // Of a stream without a size mpv takes what it has read so far for all of it (AV-10).
            let hasSize = self?.attempt?.stream.reading.hasSize == true
            let duration = value.flatMap { $0 > 0 && hasSize ? $0 : nil }
            self?.attempt?.duration = duration
            self?.tell(.opened(duration: duration))
        }
    }

    /// The answer to a seek, which comes before its restart.
    func sought(_ result: Result<Void, MPVError>, _ number: Int) {
        guard attempt?.number == number else { return }
        attempt?.seeks -= 1
        guard case .failure(let error) = result, attempt?.seeks == 0 else { return }
        // PB-26: play goes on where it is.
        log("mpv did not seek: \(error)")
        arrive()
    }

    /// A restart with a seek still unanswered is the one of an older seek.
    private func restarted() {
        guard attempt?.target != nil, attempt?.seeks == 0 else { return }
        attempt?.hasRestarted = true
        arrive()
    }

    private func arrive() {
        ask("audio-pts") { [weak self] place in
            // Without a place the output did not open: its failure follows.
            guard let self, let place, attempt?.target != nil, attempt?.seeks == 0 else { return }
            attempt?.target = nil
            attempt?.saw(max(0, place), at: now)
            watch.end()
            tell(.reached(max(0, place)))
            flowIfWet(at: max(0, place))
        }
    }

    private func dryChanged(_ isDry: Bool) {
        attempt?.anchor(at: now)
        attempt?.isDry = isDry
        guard attempt?.target == nil else { return }
        askPlace { [weak self] place in
            guard let self, attempt?.target == nil, attempt?.isDry == isDry else { return }
            if isDry { stall(at: place) } else { flowIfWet(at: place) }
        }
    }

    func stall(at place: Seconds) {
        guard attempt?.isStalled == false else { return }
        attempt?.isStalled = true
        tell(.stalled(place))
    }

    private func flowIfWet(at place: Seconds) {
        guard let attempt, attempt.isStalled, !attempt.isDry else { return }
        self.attempt?.isStalled = false
        self.attempt?.saw(place, at: now)
        tell(.flowing(place))
    }

    /// Under way to a place for half a second or more.
    func look() {
        guard let attempt, let target = attempt.target else { return }
        let reading = attempt.stream.reading
        if reading.isWaiting { stall(at: target) } else if attempt.hasRestarted { arrive() }
        if watch.idle(reading, at: now) < patience { return watch.next(at: now) }
        log("mpv does not get on: the sound server hangs")
        fail(.device)
    }

    private func ended(_ reason: MPVEvent.EndReason) {
        guard let attempt else { return }
        switch reason {
        case .failed(let error) where error.code == MPVError.outputFailed: fail(.device)
        case .endOfFile where attempt.hasReallyEnded(at: now): finish(.ended)
        case .endOfFile, .stopped, .failed: broke(attempt, reason)
        }
    }

    /// mpv can't tell a fault of the bytes from the end: the reader can. Else the decoder gave up, or the server's file is
    /// another one now: once more from there.
    private func broke(_ attempt: Attempt, _ reason: MPVEvent.EndReason) {
        let failure = attempt.stream.reader.failure ?? .media
        guard failure == .media, attempt.mayTryAgain(at: now) else { return fail(failure) }
        let place = attempt.place(at: now)
        log("playing broke off at \(place) s (\(reason)), trying once more")
        again(from: place, brokeAt: place)
    }
}
