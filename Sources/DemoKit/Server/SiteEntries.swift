// `/api/me`, `/api/feeds`, `/api/entries/…`.
extension Site {
    func me() -> Answer {
        let user = library.user
        let settings: [String: JSONValue] = [
            "rate": .number(user.rate), "skipForward": .number(user.skipForward), "skipBack": .number(user.skipBack),
        ]
        var fields: [String: JSONValue] = [
            "id": .string(user.id), "name": .string(user.name), "settings": .object(settings),
            "unread": .number(Double(library.shows.flatMap(\.episodes).filter { !$0.isRead }.count)),
        ]
        fields["server"] = user.server.map { .string($0) }
        return .json(.object(fields))
    }

    func feeds() -> Answer {
        .json(
            .array(
                library.shows.map { show in
                    .object([
                        "id": .string(show.id), "title": .string(show.title),
                        "artwork": .string("/api/art?feed=\(show.id)"),
                        "unread": .number(Double(show.episodes.filter { !$0.isRead }.count)),
                    ])
                }))
    }

    mutating func entries(_ request: ServedRequest, _ segments: [String], _ faults: [Fault]) -> Answer {
        let names = segments.map { ServedRequest.decoded($0) }
        switch (request.method, names.count) {
        case ("GET", 1): return list(request, feed: names[0])
        case ("GET", 2): return entry(names[0], names[1])
        case ("PUT", 3): return put(request, names[0], names[1], segments[2], faults)
        case (_, 1...3): return .plain(405, "method")
        default: return .plain(404, "no such entry")
        }
    }

    private func list(_ request: ServedRequest, feed: String) -> Answer {
        let query = request.query
        var found = library.shows.flatMap { show in show.episodes.map { (show: show, episode: $0) } }
        if feed != "unread" {
            guard library.shows.contains(where: { $0.id == feed }) else { return .plain(404, "no such feed") }
            found.removeAll { $0.show.id != feed }
        }
        if feed == "unread" || query["unread"] == "1" { found.removeAll { $0.episode.isRead } }
        found.sort { $0.episode.published < $1.episode.published }
        if query["order"] == "newest" { found.reverse() }
        let start = query["after"].flatMap { Int($0.dropFirst("cursor-".count)) } ?? 0
        let end = start + max(1, query["limit"].flatMap { Int($0) } ?? 100)
        let page = found.dropFirst(start).prefix(end - start).map { Self.json($0.episode, of: $0.show) }
        let next: JSONValue = end < found.count ? .string("cursor-\(end)") : .null
        return .json(.object(["entries": .array(page), "next": next]))
    }

    private func entry(_ feed: String, _ guid: String) -> Answer {
        guard let show = library.shows.first(where: { $0.id == feed }), let episode = library[feed: feed, guid: guid] else {
            return .plain(404, "no such entry")
        }
        return .json(Self.json(episode, of: show))
    }

    private mutating func put(
        _ request: ServedRequest, _ feed: String, _ guid: String, _ what: String, _ faults: [Fault]
    ) -> Answer {
        guard var episode = library[feed: feed, guid: guid] else { return .plain(404, "no such entry") }
        guard let body = request.json else { return .plain(400, "no JSON") }
        let hasVersions = !faults.contains { if case .noVersions = $0.kind { true } else { false } }
        if what == "position", hasVersions, let base = body["version"]?.number, Int(base) != episode.version {
            var answer = entry(feed, guid)
            answer.status = 409
            return answer
        }
        guard let fields = Self.write(what, body, to: &episode) else { return .plain(400, "no \(what) in \(body)") }
        if !faults.contains(where: \.forgetsWrites) {
            library[feed: feed, guid: guid] = episode
        }
        return .json(.object(fields))
    }

    /// Nil when the body lacks what the write is about.
    private static func write(_ what: String, _ body: JSONValue, to episode: inout DemoEpisode) -> [String: JSONValue]? {
        let updated = body["at"]?.string.flatMap { secondsOfISODate($0) } ?? wallSeconds()
        switch what {
        case "position":
            guard let position = body["position"]?.number else { return nil }
            episode.position = position
            episode.version += 1
            episode.updated = updated
            return [
                "position": .number(position), "version": .number(Double(episode.version)),
                "updated": .string(isoDate(updated)),
            ]
        case "read":
            guard let isRead = body["read"]?.bool else { return nil }
            episode.isRead = isRead
            episode.version += 1
            episode.updated = updated
            return ["read": .bool(isRead), "version": .number(Double(episode.version))]
        default: return nil
        }
    }

    static func json(_ episode: DemoEpisode, of show: DemoShow) -> JSONValue {
        var fields: [String: JSONValue] = [
            "feedId": .string(show.id), "title": .string(episode.title), "feedTitle": .string(show.title),
            "published": .string(isoDate(episode.published)), "position": .number(episode.position),
            "duration": episode.duration.map { .number($0) } ?? .null, "read": .bool(episode.isRead),
            "version": .number(Double(episode.version)), "artwork": .string("/api/art?feed=\(show.id)"),
            "chapters": .array(
                episode.chapters.map { .object(["start": .number($0.start), "title": .string($0.title)]) }),
            "enclosures": .array(episode.enclosures.map { json($0) }),
        ]
        fields["guid"] = episode.guid.map { .string($0) }
        fields["updated"] = episode.updated.map { .string(isoDate($0)) } ?? .null
        return .object(fields)
    }

    private static func json(_ enclosure: DemoEnclosure) -> JSONValue {
        var fields: [String: JSONValue] = [
            "enc": .number(Double(enclosure.number)), "url": .string(enclosure.url), "type": .string(enclosure.type),
        ]
        fields["length"] = size(of: enclosure).map { .number(Double($0)) }
        return .object(fields)
    }
}
