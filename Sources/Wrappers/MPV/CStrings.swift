import Glibc

/// Copies of texts as C strings with a null pointer behind the last one, valid as long as this object.
final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) {
        count = texts.count
        pointers = .allocate(capacity: count + 1)
        pointers.initialize(repeating: nil, count: count + 1)
        for (place, text) in texts.enumerated() { pointers[place] = UnsafePointer(strdup(text)) }
    }

    deinit {
        for place in 0..<count { free(UnsafeMutablePointer(mutating: pointers[place])) }
        pointers.deallocate()
    }
}
