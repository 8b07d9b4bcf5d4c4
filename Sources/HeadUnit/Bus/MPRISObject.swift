import Car
import DBus
import EventLoop
import Library
import Linux
import Playback

/// MPRIS for everyone on the bus: `org.mpris.MediaPlayer2.ipxcar` (MPRIS 2.2). Only its Stop differs: it means Pause.
@Core
final class MPRISObject: NowPlayingDisplay {
    nonisolated static let name = "org.mpris.MediaPlayer2.ipxcar"
    nonisolated static let path: ObjectPath = "/org/mpris/MediaPlayer2"

    /// What the service lends it.
    struct Wiring {
        var onCommand: @Core (Command) -> Void
        /// 0…100; nil when unknown.
        var volume: @Core () -> Int?
        /// False when there is nothing to set it on.
        var setVolume: @Core (Int) -> Bool
        /// URL of an episode's picture.
        var artwork: @Core (Episode) -> String?
        /// CLOCK_MONOTONIC.
        var clock: @Core () -> Instant
        var log: @Core (String) -> Void

        init(
            onCommand: @escaping @Core (Command) -> Void, volume: @escaping @Core () -> Int? = { nil },
            setVolume: @escaping @Core (Int) -> Bool = { _ in false },
            artwork: @escaping @Core (Episode) -> String? = { _ in nil }, clock: @escaping @Core () -> Instant,
            log: @escaping @Core (String) -> Void
        ) {
            self.onCommand = onCommand
            self.volume = volume
            self.setVolume = setVolume
            self.artwork = artwork
            self.clock = clock
            self.log = log
        }
    }

    let wiring: Wiring
    private(set) var now: NowPlaying
    private var rule: StatusRule
    private var playhead: MPRISPlayhead
    private var told: [MPRISProperty: Value] = [:]
    private var connection: Connection?
    private var ownedName: OwnedName?
    private lazy var timer = CoreTimer { [weak self] in self?.tell(tolerance: Tolerance.steady) }

    /// How far a client's reckoning may be off: after a jump, or otherwise.
    private enum Tolerance {
        static let jump: Seconds = 0.05
        static let steady: Seconds = 0.6
    }

    init(_ wiring: Wiring) {
        self.wiring = wiring
        let moment = wiring.clock()
        now = NowPlaying(phase: .idle, at: moment)
        rule = StatusRule(now)
        playhead = MPRISPlayhead(at: moment)
    }

    /// Why the name is not ours, e.g. because another instance has it.
    var problem: DBusError? { ownedName?.problem }

    func attach(to connection: Connection) {
        detach()
        self.connection = connection
        told = current
        connection.export([rootInterface, playerInterface], at: Self.path)
        ownedName = OwnedName(Self.name, on: connection, log: wiring.log)
    }

    func detach() {
        ownedName?.giveUp()
        ownedName = nil
        connection?.unexport(Self.path)
        connection = nil
    }

    func show(_ now: NowPlaying, jumped: Bool) {
        // The start was told with the load (PB-23).
        let beginsAfterLoad = self.now.phase == .loading && now.phase == .playing && self.now.episode?.id == now.episode?.id
        let isOther = self.now.episode?.id != now.episode?.id
        rule.take(now, at: wiring.clock())
        self.now = now
        if isOther { playhead = MPRISPlayhead(at: wiring.clock()) }
        tell(tolerance: (jumped && !beginsAfterLoad) || isOther ? Tolerance.jump : Tolerance.steady)
    }

    /// The volume is another, by whomever.
    func volumeChanged() { tell(tolerance: Tolerance.steady) }

    /// Changed properties in one signal, metadata first; then `Seeked`, if clients would reckon wrong.
    private func tell(tolerance: Seconds) {
        let moment = wiring.clock()
        let new = current
        let changed = MPRISProperty.allCases.filter { new[$0] != told[$0] }
        told = new
        if !changed.isEmpty {
            try? connection?.emitPropertiesChanged(
                Self.path, MPRISProperty.interface, changed.compactMap { name in new[name].map { (name.rawValue, $0) } },
                invalidated: changed.filter { new[$0] == nil }.map(\.rawValue))
        }
        playhead.run(rule.status(at: moment), rate: now.rate, at: moment)
        if let truth = now.position(at: moment), abs(truth - playhead.position(at: moment)) > tolerance {
            playhead.seek(to: truth, at: moment)
            try? connection?.emit(
                BusSignal(Self.path, MPRISProperty.interface, "Seeked", [.int64(MPRISTrack.microseconds(truth))]))
        }
        timer.set(at: rule.nextChange(after: moment)?.nanoseconds)
    }

    /// The microseconds now: within the track while it is known.
    var position: Int64 { MPRISTrack.microseconds(now.position(at: wiring.clock()) ?? 0) }

    var track: MPRISTrack? {
        now.episode.map { MPRISTrack($0, duration: now.duration, artwork: wiring.artwork($0)) }
    }

    var current: [MPRISProperty: Value] {
        let hasEpisode = Value.boolean(now.episode != nil)
        var values: [MPRISProperty: Value] = [
            .metadata: track?.metadata ?? .properties([]),
            .playbackStatus: .string(rule.status(at: wiring.clock()).rawValue),
            .rate: .double(now.rate), .minimumRate: .double(0.5), .maximumRate: .double(3),
            .canGoNext: hasEpisode, .canGoPrevious: hasEpisode, .canPause: hasEpisode, .canSeek: hasEpisode,
            .canPlay: .boolean(true), .canControl: .boolean(true),
        ]
        if let volume = wiring.volume() { values[.volume] = .double(Double(volume) / 100) }
        return values
    }
}
