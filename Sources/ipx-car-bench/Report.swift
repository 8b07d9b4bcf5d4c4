import DemoKit

/// Medians and ratios as a Markdown table; the first subject of a measure is what the others are compared with.
struct Report {
    private var lines: [String] = []

    mutating func section(_ title: String) {
        lines += ["", "## \(title)", "", "| player | median | best | worst | ratio |", "|---|---|---|---|---|"]
    }

    mutating func row(_ name: String, _ values: [Double], unit: String, against reference: Double?) {
        guard let middle = median(values), let best = values.min(), let worst = values.max() else {
            lines.append("| \(name) | no reading | | | |")
            return
        }
        let ratio = reference.map { "\(rounded(middle / $0)) ×" } ?? "1 ×"
        lines.append("| \(name) | \(rounded(middle)) \(unit) | \(rounded(best)) | \(rounded(worst)) | \(ratio) |")
    }

    mutating func note(_ text: String) { lines += ["", text] }

    func text(heading: [String]) -> String { (heading + lines).joined(separator: "\n") + "\n" }
}

func rounded(_ value: Double) -> String {
    let hundredths = (value * 100).rounded() / 100
    return "\(hundredths)"
}
