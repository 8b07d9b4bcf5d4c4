import Library
import Playback
import RemoteProtocol

extension Episode {
    static func made(_ guid: String = "guid/1 ü", feed: String = "f1", duration: Seconds? = 3600) -> Episode {
        Episode(
            id: EpisodeID(server: "s", feed: feed, guid: guid), title: "A title", feedTitle: "A show",
            published: WallTime(milliseconds: 1_796_004_000_000), duration: duration,
            chapters: [Chapter(start: 0, title: "Intro")])
    }
}

extension Instant {
    static func ms(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
}

extension NowPlaying {
    static func playing(_ position: Seconds?, at: Instant = .ms(1000), rate: Double = 1) -> NowPlaying {
        NowPlaying(phase: .playing, episode: .made(), duration: 3600, position: position, at: at, rate: rate)
    }
}

func state(_ playing: NowPlaying = .playing(754.3), around: RemoteSurroundings = RemoteSurroundings()) -> RemoteState {
    RemoteState(boot: "b", seq: 412, now: .ms(2000), playing: playing, around: around)
}
