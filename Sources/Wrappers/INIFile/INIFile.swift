/// A configuration file as it was written: every `key = value` with the place it stands at, and every line that is none.
///
/// Spaces around keys and values do not count, nor does indentation. A line that starts with `#` or `;` is a comment, and so
/// is the rest of a line from ` ;` on. Parsed by libinih; the reader it is fed with is ours, see `LineSource`.
public struct INIFile: Hashable, Sendable {
    /// In the order of the file; a key that stands twice is here twice.
    public let entries: [Entry]
    /// Section headings, also of sections without any key.
    public let headings: [Heading]
    /// Lines that could not be read, in order.
    public let complaints: [Complaint]

    public struct Entry: Hashable, Sendable {
        /// Empty before the first heading.
        public let section: String
        public let key: String
        /// Without the spaces around it; may be empty.
        public let value: String
        public let line: Int
    }

    public struct Heading: Hashable, Sendable {
        public let section: String
        public let line: Int
    }

    public struct Complaint: Hashable, Sendable {
        /// Counted from 1; 0 for the file as a whole.
        public let line: Int
        public let text: String
    }

    /// Longer lines are refused rather than cut: libinih's own limit is 200 with its line ending.
    public static let longestLine = 190

    public init(bytes: [UInt8]) {
        self = LineSource(bytes).parse()
    }

    init(entries: [Entry], headings: [Heading], complaints: [Complaint]) {
        self.entries = entries
        self.headings = headings
        self.complaints = complaints.sorted { $0.line < $1.line }
    }
}
