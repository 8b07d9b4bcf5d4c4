import Glibc
import Linux

/// Asks the person at the terminal; without one, standard input's first line is the answer.
enum Prompt {
    static func secret(_ prompt: String) throws(Failed) -> Secret {
        let line = try Terminal.isInput ? hidden(prompt) : Secret(readLine() ?? "")
        let word = line.reveal().filter { !$0.isWhitespace }
        guard !word.isEmpty else { throw Failed("nothing was entered") }
        // A token travels in a header line, where a control character would end it.
        guard word.unicodeScalars.allSatisfy({ (0x21...0x7e).contains($0.value) }) else {
            throw Failed("that holds characters no token has")
        }
        return Secret(word)
    }

    private static func hidden(_ prompt: String) throws(Failed) -> Secret {
        do throws(Errno) {
            guard let secret = try Terminal.readSecret(prompt: prompt) else { throw Errno(ECANCELED) }
            return secret
        } catch {
            throw Failed("nothing was entered: \(error)")
        }
    }

    /// An empty answer takes what is filled in.
    static func line(_ prompt: String, filledIn: String) throws(Failed) -> String {
        try Output.write("\(prompt) [\(filledIn)]: ")
        let answer = readLine()?.filter { !$0.isWhitespace } ?? ""
        return answer.isEmpty ? filledIn : answer
    }
}
