import FoundationEssentials
import RemoteProtocol
import Testing

private let target = EpisodeTarget(feedId: "f1", guid: "g")

@Suite("Commands from outside", .timeLimit(.minutes(1)))
struct RemoteCommandTests {
    private func decoded(_ text: String) throws -> RemoteCommand { try RemoteJSON.value(RemoteCommand.self, from: text) }

    @Test(
        "every command survives its way over the wire",
        arguments: [
            .play, .pause, .toggle, .stop, .next, .previous, .nextEpisode, .previousEpisode, .seek(to: 1200.5),
            .skip(by: -15), .rate(to: 1.3), .volume(to: 40), .mute(to: true), .select(target), .keep(target, on: false),
            .queue(target, .move(to: 3)), .queue(target, .remove), .queue(target, .add),
        ] as [RemoteAction])
    func roundTrip(_ action: RemoteAction) throws {
        let command = RemoteCommand(id: "i", action: action, episode: target, seq: 412)
        #expect(try decoded(RemoteJSON.text(command)) == command)
        #expect(try BusRequest(json: RemoteJSON.text(command)) == .remote(command))
    }

    @Test("unknown fields are ignored, a rate outside is brought inside, a volume is a whole number")
    func tolerant() throws {
        #expect(try decoded(#"{"id":"1","cmd":"play","colour":[1]}"#).action == .play)
        #expect(try decoded(#"{"id":"1","cmd":"rate","to":9}"#).action == .rate(to: 3))
        #expect(try decoded(#"{"id":"1","cmd":"rate","to":0.1}"#).action == .rate(to: 0.5))
        #expect(try decoded(#"{"id":"1","cmd":"volume","to":39.6}"#).action == .volume(to: 40))
        #expect(try decoded(#"{"id":"1","cmd":"seek","to":12,"episode":null}"#).episode == nil)
    }

    @Test(
        "half a wish is not obeyed",
        arguments: [
            "", "[]", "7", "\"play\"", "null", "{", #"{"id":"1","cmd":"play""#,
            #"{"cmd":"play"}"#, #"{"id":"","cmd":"play"}"#, #"{"id":7,"cmd":"play"}"#, #"{"id":"1"}"#,
            #"{"id":"1","cmd":"fly"}"#, #"{"id":"1","cmd":"Play"}"#, #"{"id":"1","cmd":["play"]}"#,
            #"{"id":"1","cmd":"seek"}"#, #"{"id":"1","cmd":"seek","to":"12"}"#, #"{"id":"1","cmd":"seek","to":-1}"#,
            #"{"id":"1","cmd":"seek","to":1e999}"#, #"{"id":"1","cmd":"seek","to":true}"#,
            #"{"id":"1","cmd":"seek","to":null}"#, #"{"id":"1","cmd":"skip","to":5}"#,
            #"{"id":"1","cmd":"rate","to":0}"#, #"{"id":"1","cmd":"rate","to":-1}"#,
            #"{"id":"1","cmd":"volume","to":101}"#, #"{"id":"1","cmd":"volume","to":-1}"#,
            #"{"id":"1","cmd":"mute","to":1}"#, #"{"id":"1","cmd":"mute"}"#,
            #"{"id":"1","cmd":"select"}"#, #"{"id":"1","cmd":"select","target":"f1/g"}"#,
            #"{"id":"1","cmd":"select","target":{"guid":"g"}}"#,
            #"{"id":"1","cmd":"keep","target":{"feedId":"f1","guid":"g"}}"#,
            #"{"id":"1","cmd":"queue","target":{"feedId":"f1","guid":"g"}}"#,
            #"{"id":"1","cmd":"queue","target":{"feedId":"f1","guid":"g"},"move":0}"#,
            #"{"id":"1","cmd":"queue","target":{"feedId":"f1","guid":"g"},"add":true,"remove":true}"#,
            #"{"id":"1","cmd":"play","episode":"g"}"#, #"{"id":"1","cmd":"play","seq":"412"}"#,
        ])
    func refused(_ text: String) {
        #expect(throws: RemoteProtocolError.self) { try decoded(text) }
        #expect(throws: RemoteProtocolError.self) { try BusRequest(json: text) }
    }

    @Test("a frame over 64 KiB is refused unread, and one nested a thousand deep harms nobody")
    func sizes() {
        let long = #"{"id":"1","cmd":"play","x":""# + String(repeating: "y", count: 65536) + #""}"#
        let deep = #"{"id":"1","cmd":"play","x":"# + String(repeating: "[", count: 20000)
        for text in [long, deep] { #expect(throws: RemoteProtocolError.self) { try BusRequest(json: text) } }
    }

    @Test("what was wrong names the field and never its content")
    func silence() {
        #expect(throws: RemoteProtocolError("wrong type: token")) {
            try BusRequest(json: #"{"id":"1","cmd":"token","token":["secret"]}"#)
        }
    }

    @Test("an invalid frame is answered under its own id when it has one")
    func ids() {
        #expect(BusRequest.id(in: #"{"id":"1","cmd":"fly"}"#) == "1")
        #expect(BusRequest.id(in: #"{"id":1}"#) == nil)
        let text = RemoteJSON.text(RemoteReply(id: nil, .refused(.invalid, state: nil)))
        #expect(text == #"{"error":"invalid","id":null,"ok":false,"state":null}"#)
    }
}

@Suite("What the owner hands over", .timeLimit(.minutes(1)))
struct OwnerCommandTests {
    @Test(
        "server and token travel over the bus only",
        arguments: [
            .showServer, .setServer("https://a.example"), .setToken("t", address: nil),
            .setToken("t", address: "https://b.example"), .clearToken,
        ] as [OwnerCommand.Action])
    func roundTrip(_ action: OwnerCommand.Action) throws {
        let command = OwnerCommand(id: "1", action: action)
        #expect(try BusRequest(json: RemoteJSON.text(command)) == .owner(command))
    }

    @Test("a phone can't send them: its decoder knows no such command")
    func phones() {
        let text = RemoteJSON.text(OwnerCommand(id: "1", action: .setServer("https://evil.example")))
        #expect(throws: RemoteProtocolError.self) { try RemoteJSON.value(RemoteCommand.self, from: text) }
    }
}

@Suite("Commands sent again", .timeLimit(.minutes(1)))
struct CommandMemoryTests {
    @Test("the same id hears the same answer, also after others; a second answer changes nothing")
    func again() {
        var memory = CommandMemory()
        let first = RemoteReply(id: "a", .done(seq: 5))
        #expect(memory.answer(to: "a") == nil)
        memory.remember(first)
        memory.remember(RemoteReply(id: "b", .refused(.stale, state: state())))
        memory.remember(RemoteReply(id: "a", .done(seq: 9)))
        memory.remember(RemoteReply(id: nil, .refused(.invalid, state: nil)))
        #expect(memory.answer(to: "a") == first)
    }

    @Test("a thousand ids are remembered, the oldest is forgotten first, for ever")
    func ring() {
        var memory = CommandMemory()
        for n in 0..<5500 {
            memory.remember(RemoteReply(id: "\(n)", .done(seq: n)))
        }
        #expect(memory.answer(to: "4499") == nil)
        for n in 4500..<5500 { #expect(memory.answer(to: "\(n)")?.outcome == .done(seq: n)) }
    }
}

@Suite("Refusals", .timeLimit(.minutes(1)))
struct RefusalTests {
    private func command(_ action: RemoteAction, for episode: EpisodeTarget? = nil) -> RemoteCommand {
        RemoteCommand(id: "1", action: action, episode: episode)
    }

    @Test("a seek meant for the former episode is stale and brings the present state")
    func stale() {
        let now = state()
        #expect(now.refusal(of: command(.seek(to: 1), for: target)) == .stale)
        #expect(now.refusal(of: command(.seek(to: 1), for: now.episode?.target)) == nil)
        #expect(now.refusal(of: command(.seek(to: 1))) == nil)
        let reply = now.refuse(command(.play, for: target), as: .stale)
        #expect(reply.outcome == .refused(.stale, state: now))
    }

    @Test("without a sink volume and mute are unsupported, without an episode a seek is")
    func unsupported() {
        #expect(state().refusal(of: command(.volume(to: 5))) == .unsupported)
        #expect(state().refusal(of: command(.mute(to: true))) == .unsupported)
        let idle = state(.init(phase: .idle, at: .ms(0)))
        #expect(idle.refusal(of: command(.seek(to: 5))) == .unsupported)
        #expect(idle.refusal(of: command(.play)) == nil)
    }

    @Test("a reply survives its way over the wire")
    func replies() throws {
        for reply in [
            RemoteReply(id: "1", .done(seq: 413)), state().refuse(command(.play), as: .busy),
            RemoteReply(id: "2", .refused(.invalid, state: nil), text: "why"),
        ] {
            #expect(try RemoteJSON.value(RemoteReply.self, from: RemoteJSON.text(reply)) == reply)
        }
    }
}
