import Linux

/// What a verb prints.
enum Output {
    static func line(_ text: String) throws(Failed) { try write(text + "\n") }

    static func write(_ text: String) throws(Failed) {
        do throws(Errno) { try StandardStream.output.write(text) } catch { throw Failed("standard output: \(error)") }
    }

    /// There is nobody left to tell when this fails too.
    static func complain(_ line: String) { try? StandardStream.error.write("ipx-car: \(line)\n") }
}
