import INIFile

/// Makes a `Configuration` of files read one after the other; a later one overrides single keys of a former.
struct ConfigurationReading {
    private(set) var values = Configuration()
    private(set) var sources: [ConfigurationPlace: ConfigurationSource] = [:]
    private(set) var complaints: [ConfigurationComplaint] = []
    /// Kept until all files are read: a car's section goes over `[car]` also when that comes later.
    private var carEntries: [(address: String, entry: INIFile.Entry, file: String)] = []

    mutating func read(_ ini: INIFile, from file: String) {
        for flaw in ini.complaints { complain(file, flaw.line, flaw.text) }
        for heading in ini.headings where Section(heading.section) == nil {
            complain(file, heading.line, "[\(heading.section)]: no such section")
        }
        for entry in ini.entries { take(entry, from: file) }
        complaints.sort { $0.file == $1.file && $0.line < $1.line }
    }

    mutating func finish() {
        for (address, entry, file) in carEntries { take(entry, forCar: address, from: file) }
        carEntries = []
    }

    private mutating func take(_ entry: INIFile.Entry, from file: String) {
        switch Section(entry.section) {
        case .table(let section): take(entry, of: section, from: file)
        case .car(let address): carEntries.append((address, entry, file))
        case .buttons: takeButton(entry, from: file)
        // Said at the heading already; without one the key itself is the flaw.
        case nil where entry.section.isEmpty: complain(file, entry.line, "\(entry.key): stands before any [section]")
        case nil: break
        }
    }

    private mutating func take(_ entry: INIFile.Entry, of section: ConfigurationSection, from file: String) {
        guard let key = section.keys.first(where: { $0.name == entry.key }) else { return unknown(entry, file) }
        let place = ConfigurationPlace(section.name, key.name)
        if key.read(entry.value, &values) {
            sources[place] = .file(file, line: entry.line)
        } else {
            let fallback = key.write(Configuration())
            _ = key.read(fallback, &values)
            sources[place] = nil
            bad(entry, key.hint, used: fallback, file)
        }
    }

    private mutating func take(_ entry: INIFile.Entry, forCar address: String, from file: String) {
        guard let key = CarSettings.keys.first(where: { $0.name == entry.key }) else { return unknown(entry, file) }
        var settings = values.carSettings(for: address)
        if key.read(entry.value, &settings) {
            sources[ConfigurationPlace(Section.name(ofCar: address), key.name)] = .file(file, line: entry.line)
        } else {
            let fallback = key.write(values.car)
            _ = key.read(fallback, &settings)
            bad(entry, key.hint, used: fallback, file)
        }
        values.cars[address] = settings
    }

    private mutating func takeButton(_ entry: INIFile.Entry, from file: String) {
        let words = entry.key.split(separator: " ")
        if entry.key == "device" {
            if entry.value.isEmpty { values.buttons.devices = [] } else { values.buttons.devices.append(entry.value) }
        } else if words.count == 2, words[0] == "key", words[1].allSatisfy(isKeyNameCharacter) {
            guard let meaning = ButtonMeaning(entry.value) else {
                return bad(entry, "press:ACTION,hold:ACTION", used: "nothing", file)
            }
            values.buttons.keys[String(words[1])] = meaning
        } else {
            return unknown(entry, file)
        }
        sources[ConfigurationPlace("buttons", entry.key)] = .file(file, line: entry.line)
    }

    private mutating func unknown(_ entry: INIFile.Entry, _ file: String) {
        complain(file, entry.line, "[\(entry.section)] \(entry.key): no such key")
    }

    private mutating func bad(_ entry: INIFile.Entry, _ hint: String, used: String, _ file: String) {
        let now = used.isEmpty ? "it counts as not set" : "\(used) is used"
        // A value that may hold a password is never repeated.
        let value = entry.key == "proxy" || entry.value.contains("@") ? "" : " '\(entry.value)'"
        complain(file, entry.line, "[\(entry.section)] \(entry.key):\(value) is not \(hint); \(now)")
    }

    mutating func complain(_ file: String, _ line: Int, _ text: String) {
        complaints.append(ConfigurationComplaint(file: file, line: line, text: text))
    }
}

private func isKeyNameCharacter(_ c: Character) -> Bool { c.isASCII && (c.isUppercase || c.isNumber || c == "_") }

/// What a heading stands for.
private enum Section {
    case table(ConfigurationSection)
    case car(address: String)
    case buttons

    static func name(ofCar address: String) -> String { "car \"\(address)\"" }

    init?(_ heading: String) {
        if let section = ConfigurationSection.all.first(where: { $0.name == heading }) {
            self = .table(section)
        } else if heading == "buttons" {
            self = .buttons
        } else if heading.hasPrefix("car \""), heading.hasSuffix("\""),
            let address = bluetoothAddress(heading.dropFirst(5).dropLast())
        {
            self = .car(address: address)
        } else {
            return nil
        }
    }
}

/// `AA:BB:CC:DD:EE:FF` in capitals, as BlueZ writes it.
private func bluetoothAddress(_ text: Substring) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let isAddress = parts.count == 6 && parts.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
    return isAddress ? text.uppercased() : nil
}
