import Dispatch
import Glibc
import Synchronization

/// The one thread that starts children, alive as long as the process.
final class Spawner: Sendable {
    static let shared = Spawner()

    private let work = Mutex<[@Sendable () -> Void]>([])
    private let available = DispatchSemaphore(value: 0)

    private init() {
        var thread = pthread_t()
        let me = Unmanaged.passRetained(self)
        pthread_create(&thread, nil, spawnerThread, me.toOpaque())
    }

    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
        let done = DispatchSemaphore(value: 0)
        let result = Box<Value>()
        work.withLock {
            $0.append {
                result.value.withLock { $0 = body() }
                done.signal()
            }
        }
        available.signal()
        done.wait()
        // swift-format-ignore: NeverForceUnwrap
        return result.value.withLock { $0! }
    }

    fileprivate func loop() -> Never {
        while true {
            available.wait()
            work.withLock { $0.removeFirst() }()
        }
    }
}

private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}

private func spawnerThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    // swift-format-ignore: NeverForceUnwrap
    Unmanaged<Spawner>.fromOpaque(context!).takeUnretainedValue().loop()
}
