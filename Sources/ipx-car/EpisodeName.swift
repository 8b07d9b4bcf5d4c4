import RemoteProtocol

/// `FEEDID/GUID` (the guid percent-encoded), a guid that is unique, or `@N`, the place in the queue from 1.
struct EpisodeName {
    let text: String

    init(_ text: String) { self.text = text }

    /// A guid alone is looked for in the queue and the current episode; a full name need not be there.
    func target(in state: RemoteState) throws(Failed) -> EpisodeTarget {
        if text.hasPrefix("@") { return try place(in: state) }
        let known = [state.episode?.target].compactMap { $0 } + state.queue.map(\.target)
        let named = Set(known.filter { $0.guid == text })
        if let only = named.first, named.count == 1 { return only }
        guard named.isEmpty else { throw Failed("\(text) is the guid of \(named.count) episodes: name one as FEEDID/GUID") }
        guard let full = Self.full(text) else { throw Failed("no episode \(text) in the queue") }
        return full
    }

    private func place(in state: RemoteState) throws(Failed) -> EpisodeTarget {
        guard let number = Int(text.dropFirst()), number > 0 else { throw .usage("\(text): @1 is the first of the queue") }
        guard number <= state.queue.count else { throw Failed("\(text): the queue has \(state.queue.count)") }
        return state.queue[number - 1].target
    }

    private static func full(_ text: String) -> EpisodeTarget? {
        guard let slash = text.firstIndex(of: "/"), slash > text.startIndex else { return nil }
        guard let guid = decoded(text[text.index(after: slash)...]), !guid.isEmpty else { return nil }
        return EpisodeTarget(feedId: String(text[..<slash]), guid: guid)
    }

    /// Undoes percent-encoding (RFC 3986, section 2.1); nil when it is broken or no UTF-8.
    static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).map { Character(UnicodeScalar($0)) }
            guard digits.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(String(digits), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The full form, every byte but the unreserved ones encoded.
    static func encoded(_ target: EpisodeTarget) -> String {
        target.feedId + "/" + target.guid.utf8.map(escaped).joined()
    }

    private static func escaped(_ byte: UInt8) -> String {
        let character = Character(UnicodeScalar(byte))
        if byte < 128, character.isLetter || character.isNumber || "-._~".contains(character) { return String(character) }
        return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
