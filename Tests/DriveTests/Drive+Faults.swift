import DemoKit
import Testing

/// The drives that hold the rows of docs/field-faults.md. One at a time: each has sound to keep time with.
@Suite("Known faults of the field", .serialized)
enum FieldFaults {}

extension Drive {
    static let media = "/media/*"

    /// Turns the key and waits for the server's list.
    func startWithQueue() async throws {
        try start()
        try #require(try await state { !($0["queue"]?.array ?? []).isEmpty } != nil, "\(log)")
    }

    /// Plays, and gives back when it was wished.
    @discardableResult
    func play() throws -> Double {
        let wished = MonotonicClock.now
        try run("play")
        return wished
    }

    /// The state as soon as it is as wished; fails the test with the log when it never is.
    @discardableResult
    func comes(within seconds: Double = 10, _ fits: (JSONValue) -> Bool) async throws -> JSONValue {
        let found = try await state(within: seconds, where: fits)
        return try #require(found, "\(state()?.brief ?? "no state")\n\(log)")
    }

    /// Looks for so long that nothing else happens; true when `holds` did all the time.
    func stays(_ seconds: Double, _ holds: (JSONValue) -> Bool) async throws -> Bool {
        let end = MonotonicClock.now + seconds
        while MonotonicClock.now < end {
            guard let state = state(), holds(state) else { return false }
            try await Task.sleep(for: .milliseconds(100))
        }
        return true
    }

    /// The requests for one episode's bytes.
    func requests(_ guid: String) -> [LoggedRequest] { server.log.requests("/media/f1/\(guid).*") }

    /// As the server has them.
    func isRead(_ guid: String) -> Bool { server.episode("f1", guid)?.isRead ?? true }

    func served(_ guid: String) -> Double { server.episode("f1", guid)?.position ?? -1 }

    /// Places that were sent for one episode, in their order.
    func sent(_ guid: String) -> [Double] {
        server.log.requests("/api/entries/f1/\(guid)/position", method: "PUT")
            .compactMap { $0.request.json?["position"]?.number }
    }

    /// Replaces an episode's file.
    func serve(_ content: DemoEnclosure.Content, type: String = "audio/mpeg", as guid: String) {
        server.update { library in
            library[feed: "f1", guid: guid]?.enclosures = [
                DemoEnclosure(name: "f1/\(guid).x", type: type, content: content, revision: 2)
            ]
        }
    }

    func change(_ guid: String, _ change: (inout DemoEpisode) -> Void) {
        guard var episode = server.episode("f1", guid) else { return }
        change(&episode)
        let changed = episode
        server.update { $0[feed: "f1", guid: guid] = changed }
    }

    /// The car's radio goes, link and sound.
    func carLeaves() async throws {
        try sound.removeSink(sink)
        await bluez.car.leave()
    }

    func carReturns() async throws {
        await bluez.car.connect()
        try sound.addCarSink(address: Drive.car)
    }
}

extension JSONValue {
    var reason: String? { self["reason"]?.string }
    var network: String? { self["network"]?.string }
    /// For a test that fails.
    var brief: String { String(decoding: bytes, as: UTF8.self) }
    var queued: [String] { (self["queue"]?.array ?? []).compactMap { $0["guid"]?.string } }
    func plays(_ guid: String) -> Bool { phase == "playing" && self.guid == guid }
}

extension MonitorCapture {
    /// The places of what was heard since then, of one episode, in their order.
    func places(_ episode: Int, from: Double? = nil) -> [Double] {
        ToneCode.readings(recording, from: from).filter { $0.reading.episode == episode }.map(\.reading.position)
    }
}
