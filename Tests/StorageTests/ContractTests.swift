import EventLoop
import Foundation
import Library
import Playback
import PortFakes
import Storage
import Testing

/// A store and its outbox, real or a stand-in; both must pass the same drives.
struct Subject: Sendable, CustomTestStringConvertible {
    struct Parts {
        let store: any PositionStore
        let outbox: any Outbox
        /// Makes the server's entry known.
        let learn: @Core (Episode) throws -> Void
    }

    let testDescription: String
    let make: @Core @Sendable () throws -> Parts

    static let all = [
        Subject(testDescription: "the store") {
            let scene = Scene()
            let store = try scene.open()
            // The folder goes with the scene, so the parts hold on to it.
            return Parts(store: store, outbox: store) { [scene] entry in
                try withExtendedLifetime(scene) { try store.remember(entry) }
            }
        },
        Subject(testDescription: "its stand-in") {
            let store = FakePositionStore()
            return Parts(store: store, outbox: store.outbox) { store.outbox.entries[$0.id] = $0 }
        },
    ]
}

@Suite("What every position store and outbox must do", .timeLimit(.minutes(1)))
struct ContractTests {
    @Test("an episode never heard has no record", arguments: Subject.all)
    @Core func empty(subject: Subject) throws {
        let parts = try subject.make()
        #expect(try parts.store.record(of: id("a")) == nil)
        #expect(try parts.store.current() == nil)
        #expect(try parts.outbox.unsent(limit: 10).isEmpty)
    }

    @Test("what was heard comes back and waits to be sent", arguments: Subject.all)
    @Core func heard(subject: Subject) throws {
        let parts = try subject.make()
        try parts.store.store(record("a", at: 600), reason: .interval)
        try parts.store.store(record("a", at: 610), reason: .pause)
        #expect(try parts.store.record(of: id("a"))?.position == 610)
        let unsent = try parts.outbox.unsent(limit: 10)
        #expect(unsent.map(\.record.position) == [610])
        #expect(unsent[0].nextPush == .position)
        #expect(unsent[0].needsFetch)
        #expect(unsent[0].isUrgent)
    }

    @Test("what played last comes back with its entry", arguments: Subject.all)
    @Core func current(subject: Subject) throws {
        let parts = try subject.make()
        try parts.learn(entry("a"))
        try parts.store.setCurrent(id("a"), wasPlaying: true)
        let current = try #require(try parts.store.current())
        #expect(current.episode == entry("a") && current.wasPlaying)
        try parts.store.setCurrent(id("a"), wasPlaying: false)
        #expect(try parts.store.current()?.wasPlaying == false)
        try parts.store.setCurrent(nil, wasPlaying: false)
        #expect(try parts.store.current() == nil)
    }

    @Test("an acknowledged position is not sent again, nor is the same place stored again", arguments: Subject.all)
    @Core func acknowledged(subject: Subject) throws {
        let parts = try subject.make()
        try parts.store.store(record("a", at: 600), reason: .pause)
        let sent = try #require(try parts.outbox.unsent(limit: 1).first)
        try parts.outbox.acknowledge(.position, id("a"), sequence: sent.sequence, PushAnswer(version: 8, position: 600))
        #expect(try parts.outbox.unsent(limit: 1).isEmpty)
        try parts.store.store(record("a", at: 600), reason: .shutdown)
        #expect(try parts.outbox.unsent(limit: 1).isEmpty)
        try parts.store.store(record("a", at: 612), reason: .pause)
        let next = try #require(try parts.outbox.unsent(limit: 1).first)
        #expect(next.record.baseVersion == 8 && !next.needsFetch)
    }

    @Test("POS-08 a late answer to an older record does not clear the newer one", arguments: Subject.all)
    @Core func lateAnswer(subject: Subject) throws {
        let parts = try subject.make()
        try parts.store.store(record("a", at: 600), reason: .interval)
        let sent = try #require(try parts.outbox.unsent(limit: 1).first)
        try parts.store.store(record("a", at: 640), reason: .pause)
        try parts.outbox.acknowledge(.position, id("a"), sequence: sent.sequence, PushAnswer(version: 8, position: 600))
        let next = try #require(try parts.outbox.unsent(limit: 1).first)
        #expect(next.record.position == 640)
        #expect(next.base.version == 8)
    }

    @Test("an answer that was overtaken never lowers the version", arguments: Subject.all)
    @Core func overtaken(subject: Subject) throws {
        let parts = try subject.make()
        try parts.store.store(record("a", at: 600), reason: .pause)
        let first = try #require(try parts.outbox.held(id("a")))
        try parts.store.store(record("a", at: 640), reason: .pause)
        let second = try #require(try parts.outbox.held(id("a")))
        try parts.outbox.acknowledge(.position, id("a"), sequence: second.sequence, PushAnswer(version: 9, position: 640))
        try parts.outbox.acknowledge(.position, id("a"), sequence: first.sequence, PushAnswer(version: 8, position: 600))
        let held = try #require(try parts.outbox.held(id("a")))
        #expect(held.base.version == 9 && held.base.position == 640 && held.unsent.isEmpty)
    }

    @Test("POS-07 a true end sends read first, then 0 on the version that it returned", arguments: Subject.all)
    @Core func trueEnd(subject: Subject) throws {
        let parts = try subject.make()
        try parts.learn(entry("a", position: 100, version: 4))
        try parts.store.store(record("a", at: 0, isFinished: true), reason: .end)
        var held = try #require(try parts.outbox.unsent(limit: 1).first)
        #expect(held.nextPush == .read && held.base.version == 4)
        try parts.outbox.acknowledge(.read, id("a"), sequence: held.sequence, PushAnswer(version: 5))
        held = try #require(try parts.outbox.unsent(limit: 1).first)
        #expect(held.nextPush == .position && held.base.version == 5)
        try parts.outbox.acknowledge(.position, id("a"), sequence: held.sequence, PushAnswer(version: 6, position: 0))
        #expect(try parts.outbox.unsent(limit: 1).isEmpty)
        #expect(try parts.store.record(of: id("a"))?.isRead == true)
    }

    @Test("POS-07 a read mark waits until it is acknowledged, once, and outlives more listening", arguments: Subject.all)
    @Core func readMark(subject: Subject) throws {
        let parts = try subject.make()
        try parts.store.store(record("a", at: 3250), reason: .interval)
        try parts.outbox.markRead(id("a"), at: stamp(101))
        try parts.outbox.markRead(id("a"), at: stamp(102))
        try parts.store.store(record("a", at: 3260), reason: .interval)
        let held = try #require(try parts.outbox.unsent(limit: 1).first)
        #expect(held.nextPush == .read && held.record.isRead)
        try parts.outbox.acknowledge(.read, id("a"), sequence: held.sequence, PushAnswer(version: 5))
        try parts.store.store(record("a", at: 3270), reason: .interval)
        #expect(try parts.outbox.unsent(limit: 1).first?.nextPush == .position)
    }

    @Test("read without ever having been heard here claims no position", arguments: Subject.all)
    @Core func readUnheard(subject: Subject) throws {
        let parts = try subject.make()
        try parts.learn(entry("a", position: 50, version: 2))
        try parts.outbox.markRead(id("a"), at: stamp())
        let held = try #require(try parts.outbox.unsent(limit: 1).first)
        #expect(held.unsent == .read && held.record.position == 50)
    }

    @Test("an entry without guid keeps its position and is never sent", arguments: Subject.all)
    @Core func local(subject: Subject) throws {
        let parts = try subject.make()
        let local = EpisodeID.local(server: "s1", feed: "f1", key: "2026-01-01 a.mp3")
        try parts.store.store(PositionRecord(episode: local, position: 70, listened: stamp()), reason: .pause)
        #expect(try parts.store.record(of: local)?.position == 70)
        #expect(try parts.outbox.unsent(limit: 10).isEmpty)
    }

    @Test("the longest waiting goes first, and its place is not lost by more listening", arguments: Subject.all)
    @Core func order(subject: Subject) throws {
        let parts = try subject.make()
        for name in ["b", "a", "c"] { try parts.store.store(record(name, at: 10), reason: .pause) }
        try parts.store.store(record("b", at: 20), reason: .pause)
        #expect(try parts.outbox.unsent(limit: 2).map(\.record.episode.guid) == ["b", "a"])
    }

    @Test("what the server refuses for good is kept and no longer sent", arguments: Subject.all)
    @Core func refused(subject: Subject) throws {
        let parts = try subject.make()
        try parts.store.store(record("a", at: 600), reason: .pause)
        let held = try #require(try parts.outbox.held(id("a")))
        try parts.outbox.refuse(.position, id("a"), sequence: held.sequence)
        #expect(try parts.outbox.unsent(limit: 1).isEmpty)
        #expect(try parts.store.record(of: id("a"))?.position == 600)
    }

    @Test("records of this boot get their wall time when the server's clock is heard", arguments: Subject.all)
    @Core func stamps(subject: Subject) throws {
        let parts = try subject.make()
        var clock = ServerClock(boot: "boot-2", lastTrusted: WallTime(milliseconds: 5_000_000))
        let old = Stamp(boot: "boot-1", at: Instant(nanoseconds: 1), wall: WallTime(milliseconds: 4), isUncertain: true)
        try parts.store.store(record("old", at: 5, heard: old), reason: .pause)
        try parts.store.store(
            record("new", at: 5, heard: clock.stamp(at: Instant(nanoseconds: 7_000_000_000))), reason: .pause)
        #expect(try parts.outbox.held(id("new"))?.record.listened.isUncertain == true)
        clock.heard(WallTime(milliseconds: 9_000_000), at: Instant(nanoseconds: 10_000_000_000))
        try parts.outbox.settleStamps(by: clock)
        let new = try #require(try parts.outbox.held(id("new"))).record.listened
        #expect(new.wall == WallTime(milliseconds: 8_997_000) && !new.isUncertain)
        #expect(try parts.outbox.held(id("old"))?.record.listened == old)
    }

    @Test("POS-01 an older server position leaves the unsent one, which goes on top of it", arguments: Subject.all)
    @Core func olderServer(subject: Subject) throws {
        let parts = try subject.make()
        try parts.store.store(record("a", at: 2400, heard: stamp(wall: 5000)), reason: .pause)
        let resolution = try parts.outbox.settle(
            entry("a", position: 120, updated: 4000, version: 7), from: .beforePush, isPlaying: false, times: SyncTimes())
        #expect(resolution?.outcome == .push)
        let held = try #require(try parts.outbox.unsent(limit: 1).first)
        #expect(held.record.position == 2400 && held.base.version == 7)
    }

    @Test("a later server position is taken over and nothing is left to send", arguments: Subject.all)
    @Core func laterServer(subject: Subject) throws {
        let parts = try subject.make()
        try parts.store.store(record("a", at: 2400, heard: stamp(wall: 5000)), reason: .pause)
        let resolution = try parts.outbox.settle(
            entry("a", position: 120, updated: 6000, version: 7), from: .listing, isPlaying: false, times: SyncTimes())
        #expect(resolution?.outcome == .adopt && resolution?.loser == 2400)
        #expect(try parts.store.record(of: id("a"))?.position == 120)
        #expect(try parts.outbox.unsent(limit: 1).isEmpty)
    }

    @Test("POS-20 the episode that plays is not moved; its push goes on top of the server's version", arguments: Subject.all)
    @Core func playing(subject: Subject) throws {
        let parts = try subject.make()
        try parts.store.store(record("a", at: 900, heard: stamp(wall: 5000)), reason: .interval)
        let remote = entry("a", position: 50, updated: 9000, version: 7)
        #expect(try parts.outbox.settle(remote, from: .listing, isPlaying: true, times: SyncTimes())?.outcome == .ignored)
        #expect(try parts.outbox.settle(remote, from: .conflict, isPlaying: true, times: SyncTimes())?.outcome == .push)
        let held = try #require(try parts.outbox.unsent(limit: 1).first)
        #expect(held.record.position == 900 && held.base.version == 7)
    }
}
