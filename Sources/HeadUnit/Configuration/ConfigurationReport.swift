/// One line of the effective configuration.
public struct ConfigurationLine: Hashable, Sendable {
    public var section: String
    public var key: String
    /// Secrets masked; empty when not set.
    public var value: String
    public var source: ConfigurationSource
}

extension LoadedConfiguration {
    /// Every key of every section, then the cars' and buttons' own.
    public var lines: [ConfigurationLine] {
        let table = ConfigurationSection.all.flatMap { section in
            section.keys.map { line(section.name, $0.name, $0.write(values)) }
        }
        return table + carLines + buttonLines
    }

    private func line(_ section: String, _ key: String, _ value: String) -> ConfigurationLine {
        ConfigurationLine(section: section, key: key, value: value, source: source(of: section, key))
    }

    private var carLines: [ConfigurationLine] {
        values.cars.sorted { $0.key < $1.key }.flatMap { address, settings in
            CarSettings.keys.map { key in
                let section = "car \"\(address)\""
                let own = source(of: section, key.name)
                let source = own == .standard ? source(of: "car", key.name) : own
                return ConfigurationLine(section: section, key: key.name, value: key.write(settings), source: source)
            }
        }
    }

    private var buttonLines: [ConfigurationLine] {
        values.buttons.devices.map { line("buttons", "device", $0) }
            + values.buttons.keys.sorted { $0.key < $1.key }.map { line("buttons", "key \($0.key)", "\($0.value)") }
    }

    /// As a file that could be read again, each value with a remark that says where it came from.
    public var text: String {
        var text = ""
        var section = ""
        for line in lines {
            if line.section != section {
                text += (section.isEmpty ? "" : "\n") + "[\(line.section)]\n"
                section = line.section
            }
            let pair = "\(line.key)=\(line.value)"
            text += pair + String(repeating: " ", count: max(1, 32 - pair.count)) + "; \(line.source)\n"
        }
        return text + remarks
    }

    private var remarks: String {
        let token = token.map { "# token: set, from \($0.source)\n" } ?? "# token: not set\n"
        return "\n# state: \(folders.state)\n# cache: \(folders.cache)\n" + token
            + unreadable.map { "# not readable by this user: \($0)\n" }.joined()
    }
}
