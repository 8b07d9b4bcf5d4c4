import AudioRouting
import Car
import Engine
import EventLoop
import HTTPClient
import IpxAPI
import Library
import Linux
import Media
import Playback
import RemoteProtocol
import Storage

/// The service put together: every part is made here, and every line between two parts is drawn in `HeadUnit+Wiring.swift`.
@Core
final class HeadUnit {
    let options: RunOptions
    private(set) var loaded: LoadedConfiguration
    let log: Log
    let store: Store
    let player: PlayerLoop
    let media: MediaLibrary
    let engine: Engine
    let routing: AudioRouting
    let bluez: BlueZ
    let server: IpxServer
    let catalog: Catalog
    let sender: OutboxSender
    let displays = Displays()
    let picture: Picture
    let bus: SystemBus
    let notebook: Notebook
    private(set) var serverLoop: ServerLoop!
    private(set) var effects: EffectRunner!
    private(set) var desk: CommandDesk!
    private(set) var control: ControlObject!
    private(set) var mpris: MPRISObject!
    let clock: BootClock
    /// What fetching last said of the network; nil: it works, or nothing was fetched.
    var reach: Failure?

    init(_ options: RunOptions, _ loaded: LoadedConfiguration, _ log: Log) throws {
        self.options = options
        self.loaded = loaded
        self.log = log
        store = try Store(folder: loaded.folders.state, log: log)
        clock = BootClock(store: store, log: log)
        let values = loaded.values
        let player = PlayerLoop(settings: values.playerSettings(for: nil), clock: monotonicNow)
        self.player = player
        let client = HTTPClient(
            HTTPClient.Configuration(
                userAgent: Version.userAgent, caFile: values.server.caFile, proxy: values.server.proxy?.reveal(),
                log: { log.debug("http", ["text": $0]) }))
        let access = loaded.access(log: log)
        // Without an address nothing is asked: `ServerLoop` stays still until one is set.
        server = IpxServer(
            client: client, access: access ?? .unset, identity: try store.serverIdentity(), device: Version.userAgent,
            log: log)
        media = try MediaLibrary(
            cacheDirectory: loaded.folders.cache, client: client, records: StoredParts(store),
            request: { [weak server] in server?.access == .unset ? nil : server?.request(for: $0) },
            refresh: { [weak server] id, enclosure in
                try? await server?.entry(id).enclosures.first { $0.number == enclosure.number }
            },
            log: { log.info("media", ["text": $0]) })
        engine = Engine(media: media, clock: monotonicNow, log: { log.debug("engine", ["text": $0]) })
        routing = AudioRouting(.remembered(in: store, values, log), log: { log.info("sound", ["text": $0]) })
        bluez = BlueZ(clock: monotonicNow, log: { log.info("bluetooth", ["text": $0]) })
        catalog = Catalog(store: store, server: server, media: media, log: log)
        let clock = clock
        sender = OutboxSender(
            store: store, server: server, clock: { clock.server },
            playing: { player.state.current.flatMap { player.nowPlaying.phase == .playing ? $0.episode.id : nil } }, log: log
        )
        notebook = Notebook(store: store, stamp: { clock.server.stamp(at: $0) }, log: log)
        picture = Picture(boot: uuid(), nowPlaying: { player.nowPlaying }, queue: { player.state.queue })
        bus = SystemBus(log: { log.error("bus", ["text": $0]) })
        assemble()
        wire()
    }

    private func assemble() {
        effects = EffectRunner(engine: engine, notebook: notebook, displays: displays) { [weak self] in
            self?.player.send(.timePassed)
        }
        serverLoop = ServerLoop(log: log) { [weak self] () throws(CallFailure) in try await self?.round() }
        let owner = OwnerDesk(
            files: StateFiles(folder: loaded.folders.state), loaded: { [unowned self] in loaded },
            reload: { [weak self] in self?.reload() }, log: log)
        desk = CommandDesk(
            picture: picture, player: player, output: routing,
            find: { [unowned self] target in
                catalog.find({ target.names($0) }, current: player.state.current?.episode)
            }, owner: { owner.answer($0) })
        control = ControlObject(
            state: { [unowned self] in RemoteJSON.text(picture.state) },
            command: { [unowned self] command, reply in reply(desk.answer(command, from: .commandLine)) },
            log: { [log] in log.error("bus", ["text": $0]) })
        mpris = MPRISObject(
            .init(
                onCommand: { [unowned self] in player.send($0, from: .mpris) },
                volume: { [unowned self] in routing.volume },
                setVolume: { [unowned self] in routing.setVolume($0) },
                // What is on the server needs its token, which nobody on the bus has.
                artwork: { $0.artwork.flatMap { $0.hasPrefix("https://") ? $0 : nil } },
                clock: monotonicNow, log: { [log] in log.error("bus", ["text": $0]) }))
    }

    /// First what others wait for: the last drive, then the bus, then the sound server; libmpv's hundreds of libraries come
    /// behind them: while the dynamic linker has its lock, no thread starts, and who starts one waits.
    func start(ready: @escaping @Core () -> Void) {
        if let (queued, wasPlaying) = catalog.lastDrive() {
            player.send(.restored(queued, wasPlaying: wasPlaying))
        } else {
            player.send(.restored(nil, wasPlaying: false))
        }
        requeue()
        bus.start { [weak self] in
            ready()
            self?.routing.start {
                // From here on a missing sink is known to be missing.
                self?.soundChanged()
                self?.engine.prepare()
            }
            self?.askServer()
        }
    }

    func askServer() {
        guard loaded.values.server.address != nil else {
            return log.info("no server is set: ipx-car server URL", [:])
        }
        serverLoop.go()
    }

    /// Reads the configuration again (SIGHUP, or a value handed over by the owner); the drive goes on.
    func reload() {
        do {
            loaded = try LoadedConfiguration.load(options)
            loaded.report(to: log)
        } catch {
            return log.error("the configuration can't be read, the former stays", ["cause": error])
        }
        server.access = loaded.access(log: log) ?? .unset
        carSettingsChanged()
        lastListed = nil
        askServer()
    }

    /// When the server's lists were last taken in; nil: they are due.
    var lastListed: Instant?
}
