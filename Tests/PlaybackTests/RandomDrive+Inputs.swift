import Library
import Playback

extension RandomDrive {
    mutating func input() -> Input {
        switch dice.number(0..<100) {
        case 0..<50:
            return .command(command(), from: dice.one(of: [.car, .car, .key, .phone, .mpris, .commandLine, .service]))
        case 50..<64: return .event(outputEvent())
        case 64..<70: return .event(.networkChanged(dice.one(of: [.online, .online, .offline, .signIn, .waitingForTime])))
        case 70..<75: return .event(.queueChanged((0..<dice.number(0..<8)).map { _ in episode() }))
        case 75..<79: return .event(.positionLearned(id("\(dice.number(0..<12))"), dice.seconds(-5...4000)))
        case 79..<88: return mischief()
        case 88..<93: return .event(.timePassed)
        case 93: return .event(.settingsChanged(settings()))
        case 94: return .event(.restored(episode(), wasPlaying: true))
        default: return .command(dice.one(of: [.play, .select(episode())]), from: .phone)
        }
    }

    private mutating func command() -> Command {
        switch dice.number(0..<20) {
        case 0..<4: .play
        case 4..<6: .pause
        case 6: .stop
        case 7..<9: .toggle
        case 9..<11: .next
        case 11: .previous
        case 12: .nextEpisode
        case 13: .previousEpisode
        case 14, 15: .seek(to: dice.one(of: [dice.seconds(-10...6000), dice.seconds(0...200), .nan, .infinity, 1e200]))
        case 16, 17: .skip(by: dice.one(of: [30, -15, dice.seconds(-4000...4000), .nan, -.infinity]))
        case 18: .rate(dice.one(of: [0.5, 1, 1, 1.5, 2, 3, -1, 100, .nan]))
        default: .select(episode())
        }
    }

    private mutating func outputEvent() -> Event {
        let address = dice.one(of: [Drive.car, Drive.car, Drive.car, Drive.otherCar])
        return dice.one(of: [
            .outputAppeared(car: address), .outputAppeared(car: address), .outputAppeared(car: nil), .outputLost,
            .carConnected(address: address), .carConnected(address: address), .carLeft,
        ])
    }

    /// Bytes run out, a decoder gives up, a word from long ago arrives.
    private mutating func mischief() -> Input {
        let words: [EngineEvent] = [
            .ended, .failed(.media), .reached(4), .position(5, at: now), .flowing(1), .opened(duration: 3),
        ]
        let work = engine.work
        if work != nil && dice.chance(60) { engine.plan(.stall, in: dice.seconds(0...1), at: now) }
        if work?.hasReached == true && dice.chance(10) {
            engine.plan(.fail(dice.one(of: [.media, .device, .offline, .internal])), in: dice.seconds(0...1), at: now)
        }
        let old = Generation((work?.load.generation.number ?? 0) - dice.number(1..<4))
        return .event(.engine(work == nil ? Generation(dice.number(0..<500)) : old, dice.one(of: words)))
    }

    private mutating func settings() -> PlayerSettings {
        var settings = PlayerSettings()
        settings.resume = dice.one(of: [.ifPlaying, .always, .never])
        settings.next = dice.one(of: [.skip, .episode, .chapter])
        settings.toggleKey = dice.one(of: [.off, .play, .pause])
        settings.rate = dice.one(of: [1, 1, 1.3])
        settings.rewind = dice.one(of: [[0, 3, 10, 20], [], [5], [0, 60, 600, 6000]])
        return settings
    }

    /// As the head unit would offer it: with the place that was stored, a length of the server's making, and odd chapters.
    mutating func episode() -> Queued {
        let number = dice.number(0..<12)
        let length = engine.durations[id("\(number)")]?.true ?? 0
        let listed = dice.one(of: [length, length, length, nil, length * 0.95, -1, 47_815_094] as [Seconds?])
        let chapters = (0..<dice.number(0..<5)).map { _ in Chapter(start: dice.seconds(-10...400), title: "c") }
        var offered = queued(
            "\(number)", at: rules.stored[id("\(number)")] ?? dice.seconds(0...400),
            away: dice.one(of: [nil, 0, 70, 5000, 1e6]), kept: dice.chance(30), duration: listed, chapters: chapters)
        if dice.chance(2) { offered.episode.enclosures = [] }
        return offered
    }
}
