import Linux

/// What a verb prints.
enum Output {
    static func line(_ text: String) throws(Failed) { try write(harmless(text) + "\n") }

    /// As it is: JSON has its own escapes.
    static func json(_ text: String) throws(Failed) { try write(text + "\n") }

    /// One line: what a server calls an episode must neither steer the terminal nor turn the line around.
    private static func harmless(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: result += " "
            case .format where scalar.properties.isBidiControl: continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    static func write(_ text: String) throws(Failed) {
        do throws(Errno) { try StandardStream.output.write(text) } catch { throw Failed("standard output: \(error)") }
    }

    /// There is nobody left to tell when this fails too.
    static func complain(_ line: String) { try? StandardStream.error.write("ipx-car: \(line)\n") }
}
