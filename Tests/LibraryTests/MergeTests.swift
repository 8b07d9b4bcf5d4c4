import Library
import Testing

/// Whose position is in force after the two met.
enum Winner: Sendable { case ours, theirs }

struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var held: Held
    var remote: Episode
    var times = SyncTimes()
    var winner: Winner
}

@Suite("Box and server disagree", .timeLimit(.minutes(1)))
struct MergeTests {
    static let cases = [
        Case(
            testDescription: "POS-01 older server position, newer offline listening",
            held: held(at: 2400, heard: 5000), remote: remote(at: 120, updated: 4000), winner: .ours),
        Case(
            testDescription: "POS-01 even a larger one, if it is older",
            held: held(at: 120, heard: 5000), remote: remote(at: 2400, updated: 4000), winner: .ours),
        Case(
            testDescription: "the server is later", held: held(at: 2400, heard: 5000),
            remote: remote(at: 120, updated: 6000), winner: .theirs),
        Case(
            testDescription: "POS-21 same second, ours is larger", held: held(at: 200, heard: 5000),
            remote: remote(at: 100, updated: 5000.9), winner: .ours),
        Case(
            testDescription: "POS-21 same second, theirs is larger", held: held(at: 100, heard: 5000.9),
            remote: remote(at: 200, updated: 5000), winner: .theirs),
        Case(
            testDescription: "a second apart is not the same moment", held: held(at: 100, heard: 5001),
            remote: remote(at: 200, updated: 5000), winner: .ours),
        Case(
            testDescription: "POS-21 a true end counts as all of it",
            held: held(at: 0, heard: 5000, isFinished: true), remote: remote(at: 3000, updated: 5000.5), winner: .ours),
        Case(
            testDescription: "a true end of unknown length counts as all of it",
            held: held(at: 0, heard: 5000, isFinished: true, duration: nil),
            remote: remote(at: 3000, updated: 5000.5, duration: nil), winner: .ours),
        Case(
            testDescription: "another box's true end counts as all of it", held: held(at: 3000, heard: 5000),
            remote: remote(at: 0, updated: 5000.5, isRead: true), winner: .theirs),
        Case(
            testDescription: "never started counts as nothing", held: held(at: 30, heard: 5000),
            remote: remote(at: 0, updated: 5000.5), winner: .ours),
        Case(
            testDescription: "POS-03 uncertain stamp, server later than the last trusted time: larger wins",
            held: held(at: 2400, heard: 5000, isUncertain: true), remote: remote(at: 120, updated: 9000),
            times: SyncTimes(lastTrusted: wall(4950)), winner: .ours),
        Case(
            testDescription: "POS-03 uncertain stamp, server later than the last trusted time, theirs is larger",
            held: held(at: 120, heard: 5000, isUncertain: true), remote: remote(at: 2400, updated: 4960),
            times: SyncTimes(lastTrusted: wall(4950)), winner: .theirs),
        Case(
            testDescription: "POS-03 uncertain stamp, server before the last trusted time: ours is later for certain",
            held: held(at: 120, heard: 5000, isUncertain: true), remote: remote(at: 2400, updated: 4900),
            times: SyncTimes(lastTrusted: wall(4950)), winner: .ours),
        Case(
            testDescription: "POS-03 uncertain stamp and no trusted time ever: larger wins",
            held: held(at: 120, heard: 5000, isUncertain: true), remote: remote(at: 2400, updated: 4900), winner: .theirs),
        Case(
            testDescription: "POS-03 no stamp at all: larger wins", held: held(at: 2400, heard: nil),
            remote: remote(at: 120, updated: 9000), winner: .ours),
        Case(
            testDescription: "POS-03 a server a day ahead is not believed: larger wins",
            held: held(at: 2400, heard: 5000), remote: remote(at: 120, updated: 91_400),
            times: SyncTimes(now: wall(5010)), winner: .ours),
        Case(
            testDescription: "POS-03 two minutes ahead is still believed", held: held(at: 2400, heard: 5000),
            remote: remote(at: 120, updated: 5130), times: SyncTimes(now: wall(5010)), winner: .theirs),
        Case(
            testDescription: "POS-03 a stamp of ours a day ahead is not believed: larger wins",
            held: held(at: 120, heard: 91_400), remote: remote(at: 2400, updated: 5000),
            times: SyncTimes(now: wall(5010)), winner: .theirs),
        Case(
            testDescription: "POS-03 box at 1970, never heard the server: larger wins",
            held: held(at: 2400, heard: 50, isUncertain: true), remote: remote(at: 120, updated: 1_700_000_000),
            times: SyncTimes(now: wall(1_700_000_100)), winner: .ours),
        Case(
            testDescription: "a server that keeps no time: larger wins", held: held(at: 2400, heard: 5000),
            remote: remote(at: 120, updated: nil), winner: .ours),
        Case(
            testDescription: "a server position past the end is the end",
            held: held(at: 200, heard: 5000), remote: remote(at: 9999, updated: 6000), winner: .theirs),
    ]

    @Test("the later wins, and where time can't tell, the larger", arguments: cases)
    func winner(of row: Case) throws {
        let resolution = try #require(Merge.settle(row.held, with: row.remote, times: row.times))
        let expected = row.winner == .ours ? row.held.record.position : min(row.remote.position ?? -1, 3600)
        #expect(resolution.held.record.position == expected)
        #expect(resolution.outcome == (row.winner == .ours ? .push : .adopt))
        #expect(resolution.held.unsent.contains(.position) == (row.winner == .ours))
        #expect(resolution.held.base.version == 8)
        #expect(resolution.loser == (row.winner == .ours ? row.remote.position : row.held.record.position))
        // Met again, nothing more comes of it: what went to the server comes back, what came is the base.
        if row.winner == .theirs {
            #expect(Merge.settle(resolution.held, with: row.remote, times: row.times)?.outcome == .agreed)
        }
    }

    @Test("the server has not moved: ours goes on top, whatever the clocks say")
    func unmoved() {
        let resolution = Merge.settle(
            held(at: 50, heard: 1), with: remote(at: 100, updated: 9000, version: 7), times: SyncTimes())
        #expect(resolution?.outcome == .push && resolution?.loser == nil)
    }

    @Test("without versions the time, without times the position tells whether the server has moved")
    func withoutVersions() {
        let base = SyncBase(updated: wall(1000), position: 100)
        let mine = held(at: 50, heard: 500, base: base)
        #expect(Merge.settle(mine, with: remote(at: 300, updated: 1000, version: nil), times: SyncTimes())?.outcome == .push)
        #expect(
            Merge.settle(mine, with: remote(at: 300, updated: 1500, version: nil), times: SyncTimes())?.outcome == .adopt)
        let timeless = held(at: 50, heard: 500, base: SyncBase(position: 100))
        #expect(
            Merge.settle(timeless, with: remote(at: 100, updated: nil, version: nil), times: SyncTimes())?.outcome == .push)
        #expect(
            Merge.settle(timeless, with: remote(at: 300, updated: nil, version: nil), times: SyncTimes())?.outcome == .adopt)
    }

    @Test("an answer given before our last push is ignored, however late it comes")
    func lateAnswer() {
        let mine = held(at: 2400, heard: 5000, base: SyncBase(version: 9, updated: wall(5000), position: 2400), unsent: [])
        #expect(
            Merge.settle(mine, with: remote(at: 100, updated: 4000, version: 8), times: SyncTimes())?.outcome == .ignored)
        // Without versions ours is later, so it stands.
        let timed = held(at: 2400, heard: 5000, base: SyncBase(updated: wall(5000), position: 2400), unsent: [])
        let resolution = Merge.settle(timed, with: remote(at: 100, updated: 4000, version: nil), times: SyncTimes())
        #expect(resolution?.outcome == .push && resolution?.held.record.position == 2400)
    }

    @Test("a server set back to an older version is believed in a 409")
    func setBack() {
        let mine = held(at: 2400, heard: 5000, base: SyncBase(version: 9, updated: wall(5000), position: 2400))
        let resolution = Merge.settle(
            mine, with: remote(at: 100, updated: 4000, version: 3), from: .conflict, times: SyncTimes())
        #expect(resolution?.outcome == .push && resolution?.held.base.version == 3)
    }

    @Test("an answer lost on the way: the server has ours already, nothing is sent again")
    func lostAnswer() {
        let resolution = Merge.settle(
            held(at: 2400.4, heard: 5000), with: remote(at: 2400, updated: 5000), times: SyncTimes())
        #expect(resolution?.outcome == .agreed && resolution?.held.unsent == [])
        #expect(resolution?.held.record.position == 2400.4)
    }

    @Test("an acknowledged position gives way to the server's change, but not to an older one put over it")
    func acknowledged() {
        let mine = held(at: 2400, heard: 5000, unsent: [])
        #expect(Merge.settle(mine, with: remote(at: 100, updated: 6000), times: SyncTimes())?.outcome == .adopt)
        #expect(Merge.settle(mine, with: remote(at: 100, updated: nil), times: SyncTimes())?.outcome == .adopt)
        let older = Merge.settle(mine, with: remote(at: 100, updated: 4000), times: SyncTimes())
        #expect(older?.outcome == .push && older?.held.record.position == 2400)
        #expect(Merge.settle(mine, with: remote(at: 2400, updated: 6000), times: SyncTimes())?.outcome == .agreed)
    }

    @Test("an uncertain stamp of an acknowledged position never holds the server's later change off")
    func acknowledgedUncertain() {
        let mine = held(at: 2400, heard: 5000, isUncertain: true, unsent: [])
        #expect(Merge.settle(mine, with: remote(at: 100, updated: 6000), times: SyncTimes())?.outcome == .adopt)
    }

    @Test("POS-07 a read mark that waits is sent although the server's later position is taken over")
    func readMark() throws {
        let mine = held(at: 3300, heard: 5000, isRead: true, unsent: [.position, .read])
        let resolution = try #require(Merge.settle(mine, with: remote(at: 100, updated: 6000), times: SyncTimes()))
        #expect(resolution.outcome == .adopt)
        #expect(resolution.held.unsent == .read && resolution.held.record.isRead)
        #expect(resolution.held.nextPush == .read)
    }

    @Test("POS-07 a read mark that the server has already is not sent")
    func readAlready() throws {
        let mine = held(at: 3300, heard: 5000, isRead: true, unsent: [.position, .read])
        let resolution = try #require(
            Merge.settle(mine, with: remote(at: 100, updated: 4000, isRead: true), times: SyncTimes()))
        #expect(resolution.held.unsent == .position)
    }

    @Test("unread again at the server is unread here, once ours was acknowledged")
    func unread() throws {
        let mine = held(at: 100, heard: 5000, isRead: true, unsent: [])
        #expect(Merge.settle(mine, with: remote(at: 100, updated: 6000), times: SyncTimes())?.held.record.isRead == false)
    }

    @Test("a true end that wins sends read and 0")
    func trueEnd() throws {
        let mine = held(at: 0, heard: 5000, isFinished: true)
        let resolution = try #require(Merge.settle(mine, with: remote(at: 3000, updated: 4000), times: SyncTimes()))
        #expect(resolution.held.unsent == [.read, .position] && resolution.held.nextPush == .read)
    }

    @Test("a server that never said where: ours is sent, or stays if it was")
    func nowhere() {
        #expect(
            Merge.settle(held(at: 50, heard: 5000), with: remote(at: nil, updated: 6000), times: SyncTimes())?.outcome
                == .push)
        let sent = Merge.settle(
            held(at: 50, heard: 5000, unsent: []), with: remote(at: -5, updated: 6000), times: SyncTimes())
        #expect(sent?.outcome == .agreed && sent?.held.record.position == 50)
    }

    @Test("nothing held: the server's position is the one to go on from")
    func nothingHeld() {
        let resolution = Merge.settle(nil, with: remote(at: 120, updated: 4000), times: SyncTimes())
        #expect(resolution?.outcome == .adopt && resolution?.held.record.position == 120)
        #expect(Merge.settle(nil, with: remote(at: nil, updated: 4000), times: SyncTimes()) == nil)
    }

    @Test("POS-20 a list never moves the episode that plays; its push goes on top of what the server has")
    func playing() {
        let mine = held(at: 900, heard: 5000)
        let theirs = remote(at: 50, updated: 9000)
        #expect(Merge.settlePlaying(mine, with: theirs, from: .listing) == Resolution(.ignored, mine))
        let conflict = Merge.settlePlaying(mine, with: theirs, from: .conflict)
        #expect(conflict.outcome == .push && conflict.loser == 50)
        #expect(conflict.held.record.position == 900 && conflict.held.base.version == 8)
        let same = Merge.settlePlaying(
            held(at: 900, heard: 5000, unsent: []), with: remote(at: 900, updated: 1), from: .conflict)
        #expect(same.outcome == .agreed && same.loser == nil)
    }

    @Test("an entry the server has no name for is never sent")
    func local() {
        var mine = held(at: 900, heard: 5000)
        mine.record.episode = .local(server: "s1", feed: "f1", key: "x")
        #expect(mine.nextPush == nil)
    }
}
