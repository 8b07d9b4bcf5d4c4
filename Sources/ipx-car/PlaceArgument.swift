import RemoteProtocol

/// `[+-]SECONDS|H:MM:SS`: with a sign a way to go, without one a place.
enum PlaceArgument {
    static func action(_ word: String) throws(Failed) -> RemoteAction {
        let sign = word.first.flatMap { $0 == "+" || $0 == "-" ? $0 : nil }
        guard let seconds = seconds(sign == nil ? word : String(word.dropFirst())), seconds <= 1e6 else {
            throw .usage("\(word) is neither [+-]SECONDS nor [+-]H:MM:SS")
        }
        return sign == nil ? .seek(to: seconds) : .skip(by: sign == "-" ? -seconds : seconds)
    }

    /// `90`, `1.5`, `12:34`, `1:02:03`; every part but the first below 60.
    static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 3, let last = parts.last, let seconds = decimal(last) else { return nil }
        let wholes = parts.dropLast().map { Int($0.allSatisfy(\.isWholeNumber) ? $0 : "") }
        guard wholes.allSatisfy({ $0 != nil }), parts.count == 1 || seconds < 60 else { return nil }
        let upper = wholes.compactMap { $0 }
        guard upper.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        return upper.reduce(0) { $0 * 60 + Double($1) } * 60 + seconds
    }

    /// Digits and at most one point: no sign, no exponent, no `nan`.
    static func decimal(_ text: String) -> Double? {
        text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") } ? Double(text) : nil
    }

    /// `12:34`, `1:02:03`.
    static func clock(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds).rounded(.down))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        let tail = "\(minutes < 10 && hours > 0 ? "0" : "")\(minutes):\(rest < 10 ? "0" : "")\(rest)"
        return hours > 0 ? "\(hours):\(tail)" : tail
    }
}
