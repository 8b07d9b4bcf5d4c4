import Library
import Playback

/// Decides what the car is told: a model of what BlueZ makes of our messages, compared with the truth.
///
/// BlueZ sets its position to 0 at any Metadata, counts on at 1× while Playing, freezes at a change of status, and announces a
/// position as a seek. So Metadata goes out only when its content changed, and a position only where BlueZ's own would be off.
struct Dash {
    enum Change: Hashable {
        case track(Track)
        case status(PlaybackStatus)
        case position(Seconds)
    }

    /// Everything, for a registration.
    struct State: Hashable {
        var track: Track
        var status: PlaybackStatus
        var position: Seconds
    }

    /// What BlueZ believes.
    private struct Shown: Hashable {
        var track: Track
        var status: PlaybackStatus
        var position: Seconds
        var at: Instant

        func position(at now: Instant) -> Seconds {
            status == .playing ? position + max(0, now.seconds(since: at)) : position
        }
    }

    /// How far off the dash may be: where something happened, where nothing did, and the most it may run away at another
    /// speed than 1× (a dash shows whole seconds; with the way to the car it stays under one).
    enum Tolerance {
        static let discontinuity: Seconds = 0.05
        static let pause: Seconds = 0.25
        static let drift: Seconds = 0.6
    }

    var settings: DashSettings
    private var now: NowPlaying
    private var rule: StatusRule
    private var chapters: ChapterClock
    private var notice: (text: String, until: Instant)?
    private var shown: Shown?
    private var hasSaidLength = false

    init(_ now: NowPlaying, settings: DashSettings = DashSettings()) {
        self.now = now
        self.settings = settings
        rule = StatusRule(now)
        chapters = ChapterClock(now.episode, duration: now.duration)
    }

    /// Something is to be shown. `jumped`: the position did not just run on.
    mutating func take(_ new: NowPlaying, jumped: Bool, at moment: Instant) -> [Change] {
        // The start was told with the load; what ran on meanwhile is left alone while it is small (PB-23).
        let beginsAfterLoad = now.phase == .loading && new.phase == .playing && now.episode?.id == new.episode?.id
        rule.take(new, at: moment)
        now = new
        chapters = ChapterClock(new.episode, duration: new.duration)
        return changes(at: moment, tolerance: jumped && !beginsAfterLoad ? Tolerance.discontinuity : Tolerance.drift)
    }

    /// A message to the driver, as title for a while.
    mutating func notify(_ text: String, until: Instant, at moment: Instant) -> [Change] {
        notice = (text, until)
        return tick(at: moment)
    }

    /// The moment asked for by `wake` has come, or the settings changed.
    mutating func tick(at moment: Instant) -> [Change] {
        if let notice, notice.until <= moment { self.notice = nil }
        return changes(at: moment, tolerance: Tolerance.drift)
    }

    /// What is true, whatever BlueZ believes.
    func peek(at moment: Instant) -> State {
        State(track: track(at: moment), status: rule.status(at: moment), position: truth(at: moment) ?? 0)
    }

    /// The complete state for a registration, from which BlueZ counts on.
    mutating func state(at moment: Instant) -> State {
        let state = peek(at: moment)
        shown = Shown(track: state.track, status: state.status, position: state.position, at: moment)
        hasSaidLength = hasSaidLength || state.track.length != nil
        return state
    }

    /// Nobody looks any more.
    mutating func forget() { shown = nil }

    private func truth(at moment: Instant) -> Seconds? {
        now.position(at: moment).map { max(0, $0) }
    }

    private mutating func changes(at moment: Instant, tolerance: Seconds) -> [Change] {
        guard var shown else { return [] }
        var changes: [Change] = []
        var tolerance = tolerance
        let track = track(at: moment)
        if track != shown.track {
            changes.append(.track(track))
            shown = Shown(track: track, status: shown.status, position: 0, at: moment)
            hasSaidLength = hasSaidLength || track.length != nil
            tolerance = Tolerance.discontinuity
        }
        let status = rule.status(at: moment)
        if status != shown.status {
            changes.append(.status(status))
            shown = Shown(track: track, status: status, position: shown.position(at: moment), at: moment)
            tolerance = min(tolerance, Tolerance.pause)
        }
        if let position = correction(of: shown, at: moment, tolerance) {
            changes.append(.position(position))
            shown = Shown(track: track, status: status, position: position, at: moment)
        }
        self.shown = shown
        return changes
    }

    /// The position to send, if BlueZ's is off.
    ///
    /// When nothing but the speed pulls them apart, it is sent ahead by the tolerance, so that it is needed half as often.
    private func correction(of shown: Shown, at moment: Instant, _ tolerance: Seconds) -> Seconds? {
        guard let truth = truth(at: moment) else { return nil }
        let error = truth - shown.position(at: moment)
        // Standing still it never passes the length, not even by what BlueZ counted too far (AV-08).
        let isPastEnd = shown.status != .playing && shown.position > now.duration ?? .infinity
        guard abs(error) > tolerance - 0.001 || isPastEnd else { return nil }
        guard tolerance == Tolerance.drift, let drift = drift(shown) else { return truth }
        let ahead = truth + (drift < 0 ? -Tolerance.drift : Tolerance.drift)
        // Never at the end, which BlueZ would tell the car as reached.
        return max(0, min(ahead, max(truth, (now.duration ?? .infinity) - 1)))
    }

    /// Seconds per second that the truth runs away from BlueZ's count; nil when it does not.
    private func drift(_ shown: Shown) -> Double? {
        guard shown.status == .playing, now.phase == .playing, now.rate != 1 else { return nil }
        return now.rate - 1
    }

    private func track(at moment: Instant) -> Track {
        let text = now.episode.map {
            DashText(
                $0, chapter: chapters.title(at: truth(at: moment) ?? 0), layout: settings.layout,
                alphabet: settings.alphabet)
        }
        var track = Track(episode: now.episode?.id, text: text ?? .idle, number: 1, length: length)
        if let notice, let title = DashString.fit(notice.text, alphabet: settings.alphabet) { track.text.title = title }
        return track
    }
}

extension Dash {
    /// When something changes by itself: the status, the chapter, the end of a message, or the drift at another speed.
    func wake(after moment: Instant) -> Instant? {
        guard let shown else { return nil }
        return [rule.nextChange(after: moment), notice?.until, chapterChange(after: moment), driftEnd(shown, after: moment)]
            .compactMap { $0 }.min()
    }

    private func chapterChange(after moment: Instant) -> Instant? {
        guard settings.layout == .chapter, now.phase == .playing, now.rate > 0, let truth = truth(at: moment),
            let next = chapters.nextStart(after: truth)
        else { return nil }
        // A little later, so that it has begun then.
        return moment.advanced(by: (next - truth) / now.rate + 0.001)
    }

    private func driftEnd(_ shown: Shown, after moment: Instant) -> Instant? {
        guard let drift = drift(shown), let truth = truth(at: moment), truth < now.duration ?? .infinity else { return nil }
        let error = truth - shown.position(at: moment)
        let end = drift < 0 ? -Tolerance.drift : Tolerance.drift
        return moment.advanced(by: max(0.001, (end - error) / drift))
    }

    /// A known length is never just left out later: BlueZ would keep it.
    private var length: Int64? { Track.microseconds(now.duration) ?? (hasSaidLength ? 0 : nil) }
}
